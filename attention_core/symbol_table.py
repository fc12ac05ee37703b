"""The table of symbols: how each known key is written, called and coloured.

A key is what code, links and exports use. This is the one place that maps it to its typography and
to the words that pages and screen readers use.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Symbol:
    """How one quantity is written and spoken of.

    ``base``, ``sub`` and ``sup`` are its typography (W, Q, "" for ``W_Q``), ``title`` names the
    whole matrix, ``one`` a single number of it, ``row`` and ``col`` what a row and a column stand
    for, ``role`` the letter of its colour, and ``asks`` the heading of one number's derivation.

    >>> SYMBOLS["W_Q"].text, SYMBOLS["K_T"].text, SYMBOLS["S_scaled"].text
    ('W_Q', 'Kᵀ', 'S_scaled')
    """

    key: str
    base: str
    sub: str = ""
    sup: str = ""
    title: str = ""
    one: str = "value"
    row: str = "row"
    col: str = "column"
    role: str = "x"
    asks: str = "Row «{row}», column «{col}»"

    @property
    def text(self) -> str:
        """Plain text, as in ``Kᵀ``."""
        sup = {"T": "ᵀ", "": ""}.get(self.sup, f"^{self.sup}")
        return f"{self.base}_{self.sub}{sup}" if self.sub else f"{self.base}{sup}"

    @property
    def transposed(self) -> bool:
        """Whether rows and columns are swapped."""
        return self.sup == "T"

    @property
    def vector(self) -> str:
        """The letter of one row: lower case, as the paper writes q, k and v."""
        return self.base.lower()


def _known(title: str, key: str, role: str, one: str, row: str, col: str, asks: str) -> Symbol:
    """A row of the table; the typography is read off the key."""
    base, _, sub = key.partition("_")
    sub, sup = ("", "T") if sub == "T" else (sub, "")
    return Symbol(key, base, sub, sup, title, one, row, col, role, asks)


def _greek(*row: str) -> Symbol:
    """A row whose key spells τ out: code and links keep to plain letters."""
    known = _known(*row)
    return replace(known, base=known.base.replace("tau", "τ"), sub=known.sub.replace("tau", "τ"))


_WEIGHT = ("weight", "feature", "component", "The weight from feature «{row}» to component {col}")
_SCORE = ("query", "key", "How «{row}» scores «{col}»")

SYMBOLS: dict[str, Symbol] = {
    s.key: s
    for s in (
        _known("token embeddings", "X", "x", "number", "token", "feature",
               "Feature «{col}» of «{row}»"),
        _known("query weights", "W_Q", "q", *_WEIGHT),
        _known("key weights", "W_K", "k", *_WEIGHT),
        _known("value weights", "W_V", "v", *_WEIGHT),
        _known("output weights", "W_O", "o", "weight", "component", "feature",
               "The weight from component {row} to feature «{col}»"),
        _known("queries", "Q", "q", "number", "query", "component",
               "Component {col} of the query of «{row}»"),
        _known("keys", "K", "k", "number", "key", "component",
               "Component {col} of the key of «{row}»"),
        _known("values", "V", "v", "number", "value", "component",
               "Component {col} of the value of «{row}»"),
        _known("values, cut short", "V_short", "v", "number", "value", "component",
               "Component {col} of the value of «{row}», cut short"),
        _known("outputs of short values", "O_short", "o", "output", "query", "component",
               "Component {col} of the output of «{row}», from short values"),
        _known("which values are kept", "V_keep", "m", "gate", "value", "component",
               "1 where component {col} of the value of «{row}» is kept, 0 where not"),
        _known("values, one set to 0", "V_zero", "v", "number", "value", "component",
               "Component {col} of the value of «{row}», where one value is set to 0"),
        _known("outputs without that value", "O_zero", "o", "output", "query", "component",
               "Component {col} of the output of «{row}», without that value"),
        _known("keys, transposed", "K_T", "k", "number", "component", "key",
               "Component {row} of the key of «{col}»"),
        _known("scores", "S", "s", "score", *_SCORE),
        _known("scaled scores", "S_scaled", "s", "scaled score", *_SCORE[:2],
               f"{_SCORE[2]}, scaled"),
        _known("masked scores", "S_masked", "s", "masked score", *_SCORE[:2],
               f"{_SCORE[2]} after the mask"),
        _known("mask", "M", "m", "mask entry", "query", "key",
               "What the mask adds where «{row}» looks at «{col}»"),
        _known("attention weights", "A", "a", "weight", "query", "key",
               "How much of the attention of «{row}» goes to «{col}»"),
        _known("weights of scaled scores", "A_scaled", "a", "weight", "query", "key",
               "How much of the attention of «{row}» goes to «{col}», scaled"),
        _known("weights of raw scores", "A_raw", "a", "weight", "query", "key",
               "How much of the attention of «{row}» goes to «{col}», not scaled"),
        _known("row maxima", "m", "s", "row maximum", "query", "column",
               "The largest score of «{row}»"),
        _known("scores − maximum", "S_shift", "s", "score", *_SCORE[:2],
               f"{_SCORE[2]}, less the largest score of the row"),
        _known("exponentials", "E", "s", "exponential", "query", "key",
               "e to the power of the score of «{row}» for «{col}»"),
        _known("row sums", "Z", "s", "row sum", "query", "column",
               "The sum of the exponentials of «{row}»"),
        _known("column sums", "Z_down", "a", "column sum", "key", "column",
               "The sum of all weights for «{row}»"),
        _known("hard weights", "H", "a", "hard weight", "query", "key",
               "How much «{row}» takes from «{col}» in a hard look-up"),
        _known("looked up outputs", "O_H", "o", "looked up output", "query", "component",
               "Component {col} of what «{row}» looks up"),
        _known("updates", "U", "o", "update", "token", "feature",
               "Feature «{col}» of the update of «{row}»"),
        _known("embeddings, updated", "X_out", "x", "number", "token", "feature",
               "Feature «{col}» of «{row}» after attention"),
        _known("weights, masked late", "A_late", "a", "weight", "query", "key",
               "What the late mask leaves of the weight of «{col}» for «{row}»"),
        _known("sums that are left", "Z_late", "a", "row sum", "query", "column",
               "The sum of what is left of the weights of «{row}»"),
        _known("weights, renormalised", "A_renorm", "a", "weight", "query", "key",
               "How much of the attention of «{row}» goes to «{col}», renormalised"),
        _known("what may attend", "M_open", "m", "gate", "query", "key",
               "1 where «{row}» may look at «{col}», 0 where not"),
        _known("mask of −10⁹", "M_big", "m", "mask entry", "query", "key",
               "What the mask of −10⁹ adds where «{row}» looks at «{col}»"),
        _known("scores masked with −10⁹", "S_big", "s", "score", *_SCORE[:2],
               f"{_SCORE[2]}, masked with −10⁹"),
        _known("weights masked with −10⁹", "A_big", "a", "weight", "query", "key",
               "How much of the attention of «{row}» goes to «{col}», masked with −10⁹"),
        _known("which queries are taken", "P_few", "x", "choice", "query", "token",
               "1 where the query of «{row}» is that of «{col}»"),
        _known("last queries", "Q_few", "q", "number", "query", "component",
               "Component {col} of the query of «{row}»"),
        _known("scores, last queries", "S_few", "s", "score", *_SCORE),
        replace(
            _known("scaled, last queries", "S_few_scaled", "s", "scaled score",
                   *_SCORE[:2], f"{_SCORE[2]}, scaled"),
            sub="few,scaled",
        ),
        *(
            of
            for key, corner in (("top", "top left"), ("bottom", "bottom right"))
            for of in (
                _known(f"mask, {corner}", f"M_{key}", "m", "mask entry", "query",
                       "key", f"What the mask from the {corner} adds where «{{row}}» looks at "
                       "«{col}»"),
                _known(f"scores, {corner}", f"S_{key}", "s", "masked score",
                       *_SCORE[:2], f"{_SCORE[2]}, masked from the {corner}"),
                _known(f"weights, {corner}", f"A_{key}", "a", "weight", "query",
                       "key", "How much of the attention of «{row}» goes to «{col}», masked from "
                       f"the {corner}"),
            )
        ),
        _known("row of scores", "s", "s", "score", *_SCORE),
        _known("sum of the scores", "r", "s", "sum", "query", "column",
               "The sum of the scores of «{row}»"),
        _known("plain shares", "A_plain", "a", "share", "query", "key",
               "The share of «{col}» in the sum of the scores of «{row}»"),
        _greek("temperature", "tau", "s", "temperature", "query", "column", "The temperature"),
        _greek("scores ÷ τ", "s_tau", "s", "score", *_SCORE[:2],
               f"{_SCORE[2]}, divided by the temperature"),
        _greek("weights at τ", "A_tau", "a", "weight", "query", "key",
               "How much of the attention of «{row}» goes to «{col}» at this temperature"),
        _known("offset", "c", "s", "offset", "query", "column",
               "The number that is taken off every score"),
        _known("scores − c", "s_c", "s", "score", *_SCORE[:2], f"{_SCORE[2]}, less c"),
        _known("weights of scores − c", "A_c", "a", "weight", "query", "key",
               "How much of the attention of «{row}» goes to «{col}», all scores less c"),
        _known("scores − maximum", "s_m", "s", "score", *_SCORE[:2],
               f"{_SCORE[2]}, less the largest score"),
        _known("safe exponentials", "E_m", "s", "exponential", "query", "key",
               "e to the power of the score of «{row}» for «{col}», less the largest"),
        _known("safe row sum", "Z_m", "s", "row sum", "query", "column",
               "The sum of the exponentials of «{row}», maximum taken off"),
        _known("safe weights", "A_m", "a", "weight", "query", "key",
               "How much of the attention of «{row}» goes to «{col}», maximum taken off"),
        _known("diagonal", "D", "a", "number", "weight", "weight",
               "The weight of «{row}», where «{col}» is the same key"),
        _known("weight × weight", "B", "a", "product", "weight", "weight",
               "The weight of «{row}» times the weight of «{col}»"),
        _known("slopes", "J", "j", "slope", "weight", "score",
               "How the weight of «{row}» answers to the score of «{col}»"),
        _greek("diagonal at τ", "D_tau", "a", "number", "weight",
               "weight", "The weight of «{row}» at temperature τ, where «{col}» is the same key"),
        _greek("weight × weight at τ", "B_tau", "a", "product", "weight", "weight",
               "The weight of «{row}» times the weight of «{col}», at this temperature"),
        _greek("slopes at τ", "J_tau", "j", "slope", "weight", "score",
               "How the weight of «{row}» answers to the divided score of «{col}»"),
        _known("tied scores", "S_tied", "s", "score", "query", "query",
               "How «{row}» would score «{col}», if keys were queries"),
        _known("lengths of the queries", "len_Q", "q", "length", "query", "column",
               "How long the query of «{row}» is"),
        _known("lengths of the keys", "len_K", "k", "length", "key", "column",
               "How long the key of «{row}» is"),
        _known("lengths, multiplied", "len_QK", "s", "product of lengths", *_SCORE[:2],
               "The length of the query of «{row}» times that of the key of «{col}»"),
        _known("cosines", "C", "m", "cosine", *_SCORE[:2],
               "How nearly the query of «{row}» and the key of «{col}» point the same way"),
        _known("both weights in one", "W_QK", "s", "weight", "feature", "feature",
               "What feature «{row}» of a query’s token and feature «{col}» of a key’s token add"),
        _known("embeddings, ready to score", "X_QK", "q", "number", "token", "feature",
               "What «{row}» asks of feature «{col}»"),
        _known("scores, from X", "S_X", "s", "score", *_SCORE),
        _known("outputs of all heads", "O_heads", "o", "output", "query", "component",
               "Component {col} of what all heads give «{row}»"),
        _known("outputs", "O", "o", "output", "query", "component",
               "Component {col} of the output of «{row}»"),
        *(_known(f"update of layer {layer}", f"U_{layer}", "o", "update", "token", "feature",
                 f"Feature «{{col}}» of what layer {layer} writes for «{{row}}»")
          for layer in (1, 2, 3)),
        *(_known(f"stream after layer {layer}", f"X_{layer}", "x", "number", "token", "feature",
                 f"Feature «{{col}}» of «{{row}}» after layer {layer}")
          for layer in (1, 2, 3)),
        _known("whole sum", "X_sum", "x", "number", "token", "feature",
               "Feature «{col}» of «{row}» in the whole sum"),
        _known("permutation", "P", "m", "entry", "place", "token",
               "Whether «{row}» in the other order is «{col}» in the first"),
        _known("its inverse", "P_T", "m", "entry", "token", "place",
               "Whether «{row}» in the first order is «{col}» in the other"),
        _known("positions", "Pos", "x", "number", "place", "feature",
               "Feature «{col}» of place {row}"),
        _known("with positions", "X_pos", "x", "number", "token", "feature",
               "Feature «{col}» of «{row}» with its position"),
        _known("outputs, put back", "O_back", "o", "output", "query", "component",
               "Component {col} of the output of «{row}», back in the first order"),
    )
}  # fmt: skip

_OUTPUT = ("query", "component")
SYMBOLS_GRADIENTS: tuple[Symbol, ...] = (
    _known("target", "T", "v", "target", *_OUTPUT,
           "Component {col} of what the output of «{row}» shall be"),
    _known("errors", "R", "o", "error", *_OUTPUT,
           "How far component {col} of the output of «{row}» is from the target"),
    _known("squared errors", "Sq", "o", "squared error", *_OUTPUT,
           "The squared error of component {col} of the output of «{row}»"),
    _known("squared errors, row by row", "L_row", "m", "sum", "query", "column",
           "The sum of the squared errors of «{row}»"),
    _known("squared errors, all", "L_sum", "m", "sum", "row", "column",
           "The sum of all squared errors"),
    _known("loss", "L", "m", "loss", "row", "column", "How far the outputs are from the target"),
    _known("weight × gradient", "P_A", "g", "product", "query", "key",
           "The weight of «{col}» for «{row}» times its gradient"),
    _known("mean gradients", "r_A", "g", "mean gradient", "query", "column",
           "The mean of the gradients of the weights of «{row}», weighted by the weights"),
    _known("mean gradients, repeated", "R_A", "g", "mean gradient", "query", "key",
           "The mean gradient of the weights of «{row}»"),
    _known("gradients − mean", "D_A", "g", "difference", "query", "key",
           "How far the gradient of the weight of «{col}» for «{row}» is from the mean"),
    *(
        Symbol(f"step_{key}", f"ηd{key[0]}", key[2:], "", f"step of the {SYMBOLS[key].title}",
               "step", SYMBOLS[key].row, SYMBOLS[key].col, "g",
               f"The step that is taken off {SYMBOLS[key].text} in row «{{row}}», column «{{col}}»")
        for key in ("W_Q", "W_K", "W_V", "Q", "K", "V")
    ),
)  # fmt: skip
SYMBOLS |= {s.key: s for s in SYMBOLS_GRADIENTS}
