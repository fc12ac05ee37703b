"""The controls of a page say what the link says."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.visit import Opener


def test_on_every_page_the_controls_stand_as_the_link_says(load: Opener) -> None:
    """Each page has controls of its own: from page to page, and with the next click, none moves."""
    wanted = {"example": "cat", "mask": "causal", "d_k": "2", "decimals": "1", "largest": "1"}
    here = load("/Softmax?v=1&" + "&".join(f"{name}={value}" for name, value in wanted.items()))
    menu = here.page.get_by_test_id("stSidebar")
    for title in ("Mix", "Worked examples", "Score", "Playground", "Project"):
        menu.get_by_role("link", name=title).click()
        here.page.wait_for_url(f"**/{'Examples' if 'examples' in title else title}?*")
        if title == "Worked examples":
            expect(menu.get_by_role("slider", name="Decimals")).to_have_value("1")
            continue
        for name, value in (("d_k: query and key size", "2"), ("Decimals", "1")):
            expect(menu.get_by_role("slider", name=name)).to_have_value(value)
        expect(menu.get_by_role("radio", name="The cat sat down")).to_be_checked()
        expect(here.page.get_by_role("radio", name="causal")).to_be_checked()
        expect(menu.get_by_role("switch", name="Mark the largest")).to_be_checked()
        here.cell("V" if title == "Mix" else "S", 1, 1).click()
        here.wait_link(**wanted)


def test_numbers_can_be_edited_where_given_ones_stand_on_the_board(visit: Opener) -> None:
    here = visit("/Grouped?v=1")
    expect(here.button("edit numbers")).to_be_hidden()
    here.go("/Heads?v=1")
    expect(here.button("edit numbers")).to_be_visible()
    here.button("edit numbers").click()
    expect(here.cell("W_O", 0, 0)).to_be_visible()


def test_a_place_that_came_by_link_is_found_again(load: Opener) -> None:
    here = load("/Grouped?v=1&heads=71&width=64&sweep=1")
    menu = here.page.get_by_test_id("stSidebar")
    menu.get_by_role("link", name="Heads", exact=True).click()
    here.page.wait_for_url("**/Heads?*")
    menu.get_by_role("link", name="Grouped keys").click()
    here.wait_link(heads="71", sweep="1")


def test_a_choice_of_tokens_follows_the_sentence(visit: Opener) -> None:
    """The place is kept, the word is the new one, and the next click changes nothing else."""
    here = visit("/Gradients?v=1&whose=1&aim=0")
    menu = here.page.get_by_test_id("stSidebar")
    menu.get_by_text("The cat sat down").click()
    here.wait_link(example="cat", whose="1", aim=None)
    for label, word in (("Whose output shall move", "cat"), ("To the value of", "The")):
        expect(here.page.get_by_label(label)).to_have_value(word)
    here.page.get_by_role("radio", name="0.3", exact=True).click()
    here.wait_link(rate="0.3", whose="1", aim=None)
    expect(here.notices).to_have_count(0)


def test_words_that_change_places_do_not_move_a_choice(visit: Opener) -> None:
    here = visit("/Gradients?v=1&text=a+b+c&whose=1&aim=0")
    field = here.page.get_by_label("Sentence: type your own")
    field.fill("b a c")
    field.press("Enter")
    here.wait_link(text="b a c")
    for label, word in (("Whose output shall move", "a"), ("To the value of", "b")):
        expect(here.page.get_by_label(label)).to_have_value(word)
    here.page.get_by_role("radio", name="0.3", exact=True).click()
    here.wait_link(rate="0.3", whose="1", aim=None)
