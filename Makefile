# Two commands do everything on a fresh machine: `make app` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
PORT ?= 8501
# Browser tests mostly wait: three do well on two cores.
WORKERS ?= 3

.PHONY: app test lint tests bench format clean

app: .venv/app  ## install what the app needs and serve it
	$(BIN)/streamlit run app.py --server.port $(PORT)

# Types and tests run side by side: neither keeps two cores busy all the time.
test: .venv/dev  ## install what the checks need and run every check
	@$(MAKE) --no-print-directory -j2 lint tests

lint: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

tests: .venv/dev
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

bench: .venv/dev  ## measure: each number is a ratio taken in one run
	$(BIN)/python -m benchmarks

format: .venv/dev  ## put the code into the one format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed. Name one with: make PYTHON=python3.12 …"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/app: requirements.txt .venv/bin/python
	$(BIN)/python -m pip install -q -r requirements.txt
	@touch $@

.venv/dev: requirements-dev.txt requirements.txt tests/browser/install_chromium.sh .venv/bin/python
	$(BIN)/python -m pip install -q -r requirements-dev.txt
	sh tests/browser/install_chromium.sh $(BIN)
	@touch $@ .venv/app
