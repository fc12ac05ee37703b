"""A graph as PyTorch people write it: a module with parameters, and PyTorch's own module."""

from __future__ import annotations

from textwrap import indent

import numpy as np

from attention_core.emit import TORCH, TORCH_SHOW, array, literal, target
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.matrix import Array, Matrix
from attention_core.ops.scale import Scale
from attention_core.plain import is_plain, plain
from attention_core.variants.convention import as_rows

_TAB = "    "
TURNED = "\n\n# PyTorch wants tokens as rows: every matrix here is the transpose of the board’s."


def torch_module(graph: Graph) -> str:
    """A PyTorch program around one ``nn.Module``: ``SelfAttention``, with bias-free projections.

    Its weights are copied from the graph, it is called with the numbers of the graph, and the
    program checks that the result is theirs. A graph from given Q, K and V has no weights; there
    the module is ``ScaledDotProductAttention``. PyTorch wants tokens as rows, so a graph with
    tokens as columns is given to it transposed.

    Errors: :class:`AttentionError` for a graph that is not plain attention, with a residual stream
    on top or without: with positions, several heads, a cap or a sink it is another computation.

    >>> from attention_core import attention
    >>> print(torch_module(attention([[1, 0]], [[1, 2]], [[3]])).split("\\n\\n\\n")[1])
    class ScaledDotProductAttention(nn.Module):
        def forward(self, Q, K, V):
            S = Q @ K.transpose(-2, -1) / Q.size(-1) ** 0.5
            A = S.softmax(dim=-1)
            return A @ V
    """
    turned, graph = any(m.by_column for m in graph.steps), as_rows(graph)
    plain(graph, "torch_module", "X")
    result = target(graph, "torch_module")
    if result.key == "X_out" and graph["U"].inputs[0].key != "O":
        raise AttentionError("torch_module: U is not made from O here. Use residual without of.")
    arguments = [m for m in graph.behind(result.key) if m.op is None and m.key != "M"]
    weights = [m.key for m in arguments if m.key.startswith("W_")]
    name = _name(graph)
    sizes = _sizes(graph) if weights else {}
    made = ", ".join(f"{size}={number}" for size, number in sizes.items())
    inputs = [key for key in ("X", "Y") if key in graph] or ["Q", "K", "V"]
    mask = _mask(graph)
    takes = ", ".join((*inputs, *(["mask"] if mask else [])))
    methods = [f"def forward(self, {takes}):\n" + indent(_forward(graph, bool(weights)), _TAB)]
    if weights:
        methods.insert(0, _init(graph, weights, sizes))
    module = f"class {name}(nn.Module):\n" + indent("\n\n".join(methods), _TAB)
    copied = "".join(f"attend.{key}.weight.copy_({key}.T)\n" for key in weights)
    run = f"{copied}result = attend({takes})"
    if weights:
        about = "# nn.Linear(x) is x @ weight.T, so it keeps the transpose.\n"
        run = f"with torch.no_grad():\n{indent(about + run, _TAB)}"
    main = (
        f"{_written(arguments)}{mask}\n"
        f"attend = {name}({made}){'.double()' if weights else ''}\n"
        f"{run}\n{TORCH.check.format(literal(result.value))}"
    )
    imports = "import torch\nfrom torch import nn" + TURNED * turned
    return "\n\n\n".join((imports, module, main))


def mha_code(graph: Graph) -> str:
    """A PyTorch program that gets the same result from ``nn.MultiheadAttention``.

    Errors: :class:`AttentionError` for a graph that is not one of several heads on X with W_O
    (`split_heads` and then `residual`), and where PyTorch's module cannot say the same: it takes
    h·d_k = h·d_v = d_model, keys and values of its own for each head, and 1/√d_k.

    >>> import numpy as np
    >>> from attention_core import residual, self_attention, split_heads
    >>> W = np.eye(2)
    >>> graph = residual(split_heads(self_attention([[1, 2]], W, W, W), 2), W, "O_heads")
    >>> print(mha_code(graph).splitlines()[8])
    attend = nn.MultiheadAttention(2, 2, bias=False, batch_first=True).double()
    """
    about, graph = TURNED * any(m.by_column for m in graph.steps), as_rows(graph)
    heads = [m for m in graph.steps if m.key.startswith("A_") and m.key[2:].isdigit()]
    if not _several_heads(graph):
        raise AttentionError("nn.MultiheadAttention: this is not several heads on X with W_O.")
    if not all(is_plain(graph, m.key[1:]) for m in heads):
        raise AttentionError(
            "nn.MultiheadAttention: its heads are plain attention, each with its own keys and "
            "values. Here they are not."
        )
    wide = {key: graph[key].shape[1] for key in ("X", "Q", "K", "V")}
    if len(set(wide.values())) > 1:
        sizes = ", ".join(f"{key} has {width}" for key, width in wide.items())
        raise AttentionError(
            "nn.MultiheadAttention takes as many columns of Q, K and V as X has features. Here "
            f"{sizes}. Choose the sizes d_model = d_k = d_v."
        )
    if isinstance(graph["S_scaled"].op, Scale):
        raise AttentionError("nn.MultiheadAttention divides by √d_k. Choose that scale.")
    mask = _mask(graph)
    blocked = 'float("-inf")'
    turned = f"mask = torch.zeros(mask.shape).masked_fill(~mask, {blocked}).double()\n"
    extra = ", attn_mask=mask" if mask else ""
    given = "".join(f"{key} = {array(graph[key].value, TORCH)}\n" for key in _MHA_GIVEN)
    return (
        f"import torch\nfrom torch import nn{about}\n\n"
        f"{given}{mask}{turned if mask and only_blocks(graph['M'].value) else ''}"
        f"attend = nn.MultiheadAttention({wide['X']}, {len(heads)}, bias=False, batch_first=True)"
        ".double()\n"
        "with torch.no_grad():\n"
        "    # PyTorch keeps the transposes, those of W_Q, W_K and W_V one below another.\n"
        "    attend.in_proj_weight.copy_(torch.cat([W_Q.T, W_K.T, W_V.T]))\n"
        "    attend.out_proj.weight.copy_(W_O.T)\n"
        f"    update, _ = attend(X[None], X[None], X[None]{extra})  # a batch of one\n"
        f"result = X + update[0]\n{_check(graph)}"
    )


def _several_heads(graph: Graph) -> bool:
    """Whether a graph is X + [O_1 | … | O_h] W_O with queries, keys and values from X."""
    made = {
        "Q": ("X", "W_Q"),
        "K": ("X", "W_K"),
        "V": ("X", "W_V"),
        "U": ("O_heads", "W_O"),
        "X_out": ("X", "U"),
    }
    return all(
        key in graph and tuple(m.key for m in graph[key].inputs) == of for key, of in made.items()
    )


_MHA_GIVEN = ("X", "W_Q", "W_K", "W_V", "W_O")


def _name(graph: Graph) -> str:
    if "X" not in graph:
        return "ScaledDotProductAttention"
    return "CrossAttention" if "Y" in graph else "SelfAttention"


def _other(graph: Graph) -> str:
    """The sequence that keys and values come from."""
    return "Y" if "Y" in graph else "X"


def _sizes(graph: Graph) -> dict[str, int]:
    keys = {"d_model": "X", "d_Y": "Y", "d_k": "Q", "d_v": "V"}
    return {size: graph[key].shape[1] for size, key in keys.items() if key in graph}


def _init(graph: Graph, weights: list[str], sizes: dict[str, int]) -> str:
    body = "".join(
        f"self.{key} = nn.Linear({graph[key].rows.name}, {graph[key].cols.name}, bias=False)\n"
        for key in weights
    )
    head = f"def __init__(self, {', '.join(sizes)}):\n"
    return head + indent(f"super().__init__()\n{body}".rstrip(), _TAB)


def _forward(graph: Graph, projects: bool) -> str:
    Y, op, M = _other(graph), graph["S_scaled"].op, graph["M"].value
    scale = f"* {op.factor!r}" if isinstance(op, Scale) else "/ Q.size(-1) ** 0.5"
    lines = [f"S = Q @ K.transpose(-2, -1) {scale}", "A = S.softmax(dim=-1)"]
    if projects:
        lines.insert(0, f"Q, K, V = self.W_Q(X), self.W_K({Y}), self.W_V({Y})")
    if M.any():
        masked = 'S.masked_fill(~mask, float("-inf"))' if only_blocks(M) else "S + mask"
        lines.insert(-1, f"S = {masked}")
    if graph["A"].undefined:
        lines.append("A = A.nan_to_num()  # a row with every key blocked is 0/0 and stands as 0")
    lines.append("return X + self.W_O(A @ V)" if "X_out" in graph else "return A @ V")
    return "\n".join(lines)


def _written(arguments: list[Matrix]) -> str:
    return "".join(f"{m.key} = {array(m.value, TORCH)}\n" for m in arguments)


def _mask(graph: Graph) -> str:
    """The line that makes the mask; nothing where it does nothing."""
    M = graph["M"].value
    if not M.any():
        return ""
    if not only_blocks(M):
        return f"mask = {array(M, TORCH)}  # is added to the scores\n"
    return f"{allowed('mask', M)}\n"


def allowed(name: str, M: Array) -> str:
    """The line of a mask that only blocks, as PyTorch's attention takes it.

    >>> allowed("mask", np.array([[0.0, -np.inf], [0.0, 0.0]]))
    'mask = torch.ones(2, 2, dtype=torch.bool).tril()  # True = may attend'
    """
    may = M == 0.0
    if np.array_equal(may, np.tri(*M.shape, dtype=bool)):
        made = f"torch.ones({M.shape[0]}, {M.shape[1]}, dtype=torch.bool).tril()"
    else:
        made = f"torch.tensor({literal(may)})"
    return f"{name} = {made}  # True = may attend"


def only_blocks(M: Array) -> bool:
    """Whether a mask blocks keys and adds nothing else."""
    return bool(((M == 0.0) | np.isneginf(M)).all())


def _check(graph: Graph) -> str:
    value, undefined = graph["X_out"].value, graph["A"].undefined
    if not undefined:
        return TORCH.check.format(literal(value))
    rows = [row for row in range(len(value)) if row not in undefined]
    blocked = ", ".join(str(row + 1) for row in sorted(undefined))
    return (
        f"{TORCH_SHOW}"
        f"# Every key is blocked in row {blocked}: that is 0/0. PyTorch gives 0 there since 2.5,\n"
        "# and NaN before that and on some devices. Only the other rows are checked.\n"
        f"rows = {rows}\n"
        f"expected = {array(value, TORCH)}\n"
        "assert torch.allclose(result[rows], expected[rows])\n"
    )
