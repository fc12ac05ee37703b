"""What a page may call. What one variant alone needs stays in its module, as in `ui.cross`."""

from ui import (
    cache,
    convention,
    cross,
    descent,
    exact,
    extras,
    gradients,
    grouped,
    heads,
    kept,
    online,
    positions,
)
from ui.asks import (
    entry,
    gives_most,
    largest_in_row,
    missing_share,
    most_unlike,
    order_stays,
    what_becomes,
)
from ui.beside import beside_board, changes_most, freezes, versus
from ui.board import board
from ui.board.layout import Layout, Line, Stage
from ui.charts import draw as charts
from ui.charts.blends import blend_charts, extremes, quiet_values
from ui.charts.caches import cache_charts
from ui.charts.costs import cell_charts, cost_charts
from ui.charts.dot_products import dot_product_charts
from ui.charts.memory import memory_charts
from ui.charts.timings import chain_charts, time_charts
from ui.claims import claim_board, claim_of, claims, next_claim, unsettled, vote
from ui.code import code
from ui.controls import choose
from ui.costs import layers_to_try, waiting
from ui.directed import doubled, length_matters, same_product, scored_back, twice, why_symmetric
from ui.frame import frame
from ui.glossary import sizes, symbol_entries, term_entries
from ui.mask_errors import (
    block_a_query,
    choose_error,
    error_ask,
    error_board,
    large_does,
    nothing_blocked,
    of_error,
    precisions,
    wrong_sign,
)
from ui.order import mask_of_order, order_board, orders, same_output
from ui.pages import (
    BLEND,
    COST,
    DIRECTED,
    EMBED,
    EXAMPLES,
    GLOSSARY,
    MASK,
    MASKS_LAB,
    MISCONCEPTIONS,
    MIX,
    ORDER,
    PAGES,
    PLAYGROUND,
    PROJECT,
    ROOT,
    SCALE,
    SCORE,
    SHARPEN,
    SOFTMAX,
    START,
    STREAM,
    WHOLE,
    WORKSHEET,
    variant,
)
from ui.panels import (
    choose_numbers,
    course,
    heading,
    later,
    maths,
    presets,
    question,
    say,
    section,
    see,
    start_walk,
    takeaway,
    turn_page,
    ways,
    write,
)
from ui.residual import no_stream, stream_board, stream_end, streams, whole_sum
from ui.sayings import (
    blocked_rows,
    divisor,
    given,
    no_positions,
    recap,
    saturated,
    shifted,
    stream,
    symbols,
    symmetry,
    table,
    typical_scores,
    weights_add_up,
)
from ui.sharpen import choose_row, row_board, slopes
from ui.sharpen_asks import about_the_row
from ui.sharpen_rows import masked_row, rows_to_try
from ui.whole import WHOLE_GRAPH, starts
from ui.worked import worked_examples
from ui.worksheet import about_the_sheet, choose_sheet, paper, sheets_to_try
