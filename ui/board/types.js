/**
 * The shapes that travel between Python and the board, and the board's own records. Types only: nothing runs here.
 *
 * @typedef {string | Array} MathText  plain text, or [tag, …children]; see math.js
 * @typedef {{axis: string, say: string, labels: string[]}} Axis
 *
 * @typedef {object} Matrix
 * @property {MathText} name @property {string} text @property {string} title @property {string} one
 * @property {string} role @property {string} shape @property {Axis} rows @property {Axis} cols
 * @property {string[][]} cells @property {number[][]} level @property {number[][]} [blocked]
 * @property {number[][]} [marks] @property {string} [line]  of which they are the largest: row or column
 * @property {boolean} [given] @property {Record<string, number>} [edited]
 * @property {number} [limit] @property {Record<string, string[]> | {rule: string[]}} [from]  the sources of each cell, or
 *   one rule for all of them, with {i} and {j} for the cell's row and column
 * @property {boolean} [between]  leads to what is drawn and is not drawn itself @property {MathText} [definition]
 * @property {string} [tag] @property {boolean} [toggles]  a click blocks or opens a cell
 *
 * @typedef {object} Why  how one cell was computed
 * @property {string} title @property {MathText[]} line
 * @property {{name: string, line: MathText[], note: ?string}[]} steps
 * @property {?string} words @property {?string} note @property {boolean} [given]
 * @property {string} text @property {string} latex @property {Blend} [blend] @property {Exact} [exact]
 *
 * @typedef {{line?: MathText[], words?: string}} Exact  the number without rounding, or why it has no exact form
 *
 * @typedef {{token: string, share: string, width: number, term: MathText, sign: string, product: string, most: boolean}} BlendPart
 *   one token's part in a mixed number
 * @typedef {{role: string, parts: BlendPart[], sign: string, result: string, words: string, note: ?string}} Blend
 *
 * @typedef {{href: string, label: string, end?: boolean}} Way  `end` leads out of the course
 * @typedef {object} Walk  the page's place in the walk through the course
 * @property {string} at @property {string} title @property {?Way} prev @property {Way} next
 * @property {string} stop @property {string} toggle @property {boolean} cells
 *
 * @typedef {object} Ask  a question to answer before looking
 * @property {string} id @property {MathText} title @property {MathText} hint @property {string[]} cells
 * @property {string} pin @property {string} right @property {string} wrong @property {string} given
 * @property {?[number, number]} within @property {[string, boolean][]} options  text, and is it right
 * @property {boolean} opens  the card is closed until it is answered
 * @property {boolean} above  it stands above the card
 *
 * @typedef {{of: string, origin?: boolean, items: {m?: string, sign?: MathText}[], title?: MathText, note?: MathText}} Equation
 * @typedef {{title: string, columns: string[][]}} Stage  keys of matrices that stand together
 *
 * @typedef {object} Heavy  the part of a message that is held until another replaces it. Matrices, equations, main and
 *   why travel as one JSON text, «numbers»: Streamlit would encode the objects twice for every page run
 * @property {string} id @property {string} link @property {Record<string, Matrix>} matrices
 * @property {Equation[]} equations @property {Stage[]} [stages] @property {string} originsTitle @property {string} main
 * @property {number} decimals
 * @property {string[]} hidden @property {Record<string, number>} exact @property {?Ask} ask @property {[MathText, string][]} facts
 * @property {Record<string, Why>} why @property {boolean} resetEdits @property {?Walk} walk
 * @property {?number} answers  the id of the last edit that these numbers come after
 *
 * @typedef {object} View  what the viewer has set; the page's address says the same
 * @property {?string} cell @property {string[]} seen @property {?number} step
 * @property {boolean} open @property {boolean} edit
 *
 * @typedef {object} CellView  one drawn cell; a matrix drawn twice has two for each of its cells
 * @property {HTMLElement} el @property {HTMLElement} number @property {string} ref
 * @property {number} row @property {number} col @property {GridView} grid @property {string} painted
 *
 * @typedef {object} LabelView  the heading of one row or column
 * @property {HTMLElement} el @property {?string} axis  name of the token axis, null for other axes
 * @property {number} row  -1 for a column's heading @property {number} col  -1 for a row's heading
 * @property {GridView} grid
 *
 * @typedef {{sign: number, figures: number, label: number, cols: number, rows: number, head: number, least: number,
 *   stretch: number, caption: number}} Needs  what a matrix asks for: widths in pixels, and counts
 *
 * @typedef {object} GridView  one drawn matrix
 * @property {string} key @property {HTMLElement} figure @property {HTMLElement} table
 * @property {HTMLElement} symbol @property {HTMLElement} caption @property {HTMLElement} tag
 * @property {CellView[][]} cells @property {LabelView[]} rowLabels @property {LabelView[]} colLabels
 * @property {HTMLElement} stop  the element that holds the matrix's tab stop
 *
 * @typedef {{kind: "cell" | "one" | "label", ref?: string, axis?: string, at?: number}} Spot
 *   what is pointed at: a cell (lights its sources), one number's cell, or a token
 *
 * @typedef {object} Board  everything one mounted board knows
 * @property {HTMLElement} root @property {Record<string, HTMLElement>} parts
 * @property {{state: Function, trigger: Function}} out @property {?Heavy} heavy
 * @property {View} view @property {number} seq @property {?string} resent
 * @property {Map<string, MatrixFlags>} flags @property {import("./trace.js").Trace} trace
 * @property {string} drawn @property {GridView[]} grids @property {Line[]} lines
 * @property {StageView[]} stages
 * @property {Map<string, CellView[]>} cells @property {Map<Element, CellView | LabelView>} views
 * @property {{hover: ?Spot, focus: ?Spot, kept: ?Spot}} spot @property {Map<Element, string>} lit
 * @property {Map<Element, string>} bands @property {string[]} trail @property {Map<string, string>} pending
 * @property {?{close: () => void, el: HTMLElement}} inline @property {?number} timer @property {?number} watch
 * @property {{id: ?string, outcome: ?string}} asked @property {string} whyDrawn @property {number} width
 * @property {() => void} render @property {object} walk  the dock's parts, and where it leads; see walk.js
 * @property {number} sent  the id of the last edit that was sent
 *
 * @typedef {{equation: Equation, el: HTMLElement, grids: GridView[], signs: string[], title: HTMLElement, note: HTMLElement}} Line
 *   a drawn equation; signs[i] is the text before grids[i]
 * @typedef {{el: HTMLElement, turn: HTMLElement, columns: GridView[][], grids: GridView[]}} StageView  a drawn stage, and
 *   the line break before it; its grids are in the order of computation
 *
 * @typedef {{blocked: Set<string>, marked: Set<string>, edited: Set<string>}} MatrixFlags
 */
export {};
