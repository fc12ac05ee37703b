"""The map of pages: their files, titles, places in the course and parts of the formula."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from attention_core import VARIANTS

_PAGES = Path(__file__).parent.parent / "pages"


@dataclass(frozen=True)
class Page:
    """One page: its file (from the app's root), its title and its step in the course.

    ``role`` is its colour and ``what`` says in one line what the step does. ``form`` names the
    composition that its board shows (`ui.lesson`). ``controls`` are the special settings that the
    sidebar offers here, ``chooses`` those that the page itself offers. It ``marks`` the largest
    of each row and tells ``exact`` numbers always, is ``wide`` in a wide window, takes clicks on
    a mask (``mask_edit``), and has a ``board`` with the viewer's numbers.
    """

    file: str
    title: str
    step: int | None = None
    group: str = ""
    role: str = "x"
    what: str = ""
    form: str = "plain"
    controls: tuple[str, ...] = ()
    chooses: tuple[str, ...] = ()
    marks: bool = False
    wide: bool = False
    mask_edit: bool = False
    exact: bool = False
    board: bool = True

    @property
    def label(self) -> str:
        """What the navigation shows."""
        return f"{self.step}\u2002{self.title}" if self.step else self.title

    @property
    def address(self) -> str:
        """Where the page is, from any other page."""
        name = self.file.removeprefix("pages/").removesuffix(".py").partition("_")[2]
        return name or "./"

    def link(self, query: dict[str, str]) -> str:
        """The address with settings.

        >>> START.link({}), EMBED.link({"seed": "7"})
        ('./', 'Embed?seed=7')
        """
        return self.address + ("?" + urlencode(query) if query else "")


_ALL = ("tied", "scale", "mask")
BESIDE = "beside"  # the form that also shows a frozen state; on other pages it has no effect
START = Page("app.py", "Start")
EMBED = Page(
    "pages/1_Embed.py", "Embed", 1, "Learn", "x", "Each token becomes a row of numbers.", "look-up"
)
PROJECT = Page(
    "pages/2_Project.py",
    "Project",
    2,
    "Learn",
    "q",
    "Each row is turned into a query, a key and a value.",
    chooses=("tied",),
)
SCORE = Page(
    "pages/3_Score.py",
    "Score",
    3,
    "Learn",
    "s",
    "Every query meets every key: one number for each pair.",
)
SCALE = Page(
    "pages/4_Scale.py",
    "Scale",
    4,
    "Learn",
    "s",
    "The scores are divided by √<i>d<sub>k</sub></i>, so that they stay moderate.",
    "unscaled",
    chooses=("scale",),
    marks=True,
)
MASK = Page(
    "pages/5_Mask.py",
    "Mask",
    5,
    "Learn",
    "m",
    "Keys that must not be seen are blocked.",
    chooses=("mask",),
    mask_edit=True,
)
SOFTMAX = Page(
    "pages/6_Softmax.py",
    "Softmax",
    6,
    "Learn",
    "a",
    "Each row of scores becomes weights that add up to 1.",
    "steps",
    ("mask",),
    ("shift",),
)
MIX = Page(
    "pages/7_Mix.py",
    "Mix",
    7,
    "Learn",
    "v",
    "Each token takes the values of all tokens, by its weights.",
    controls=("mask",),
)
WHOLE = Page(
    "pages/8_Whole.py",
    "Whole",
    8,
    "Learn",
    "o",
    "All of it at once, and one number followed home.",
    "whole",
    ("mask",),
    ("code",),
    wide=True,
)
EXAMPLES = Page("pages/9_Examples.py", "Worked examples", group="Explore", board=False)
PLAYGROUND = Page(
    "pages/10_Playground.py",
    "Playground",
    group="Explore",
    form=BESIDE,
    controls=_ALL,
    chooses=("code",),
    wide=True,
    mask_edit=True,
)
ROOT = Page("pages/11_Root.py", "Why √d", group="Labs", role="s", chooses=("pairs",), board=False)
MASKS_LAB = Page(
    "pages/13_Masks.py",
    "Mask errors",
    group="Labs",
    role="m",
    form="mask errors",
    chooses=("mask",),
    mask_edit=True,
)
DIRECTED = Page(
    "pages/16_Directed.py", "Directed", group="Labs", form="directed", chooses=("tied",)
)
BLEND = Page("pages/15_Blend.py", "Blends", group="Labs", role="o", chooses=("pull",))
GLOSSARY = Page("pages/18_Glossary.py", "Glossary", group="Look up", board=False)
SHARPEN = Page("pages/12_Sharpen.py", "Sharpen", group="Labs", role="a", form="sharpen", wide=True)
ORDER = Page(
    "pages/14_Order.py",
    "Order",
    group="Labs",
    role="x",
    form="order",
    controls=("mask",),
    chooses=("order", "positions"),
)
STREAM = Page(
    "pages/17_Stream.py",
    "Residual stream",
    group="Labs",
    form="stream",
    controls=("mask",),
    chooses=("layers",),
)
COST = Page("pages/20_Cost.py", "What it costs", group="Labs", chooses=("heads",), board=False)
MISCONCEPTIONS = Page(
    "pages/19_Misconceptions.py", "Misconceptions", group="Labs", form="claims", controls=("mask",)
)
WORKSHEET = Page(
    "pages/32_Worksheet.py",
    "Worksheet",
    group="Practise",
    form="exact",
    controls=_ALL,
    board=False,
)


def _variant_pages() -> dict[str, Page]:
    """The pages of the variants, in the order of their files: `pages/21_Heads.py` shows «heads»."""
    files = {f.stem.partition("_")[2].lower(): f.name for f in sorted(_PAGES.glob("*_*.py"))}
    return {
        key: Page(
            f"pages/{files[key]}",
            VARIANTS[key].title,
            group="Variants",
            form=key,
            controls=("mask",) if VARIANTS[key].masks else (),
            chooses=tuple(option.name for option in VARIANTS[key].options),
            wide=True,
            exact=VARIANTS[key].exact,
        )
        for key in sorted(VARIANTS.keys() & files.keys(), key=lambda key: files[key])
    }


_VARIANT_PAGES = _variant_pages()


def variant(key: str) -> Page:
    """The page of a variant, by its key."""
    if key not in _VARIANT_PAGES:
        raise KeyError(f"{key}: wanted pages/NN_{key.capitalize()}.py, and {key} in VARIANTS")
    return _VARIANT_PAGES[key]


PAGES: tuple[Page, ...] = (
    START,
    EMBED,
    PROJECT,
    SCORE,
    SCALE,
    MASK,
    SOFTMAX,
    MIX,
    WHOLE,
    EXAMPLES,
    PLAYGROUND,
    ROOT,
    SHARPEN,
    MASKS_LAB,
    ORDER,
    BLEND,
    DIRECTED,
    STREAM,
    COST,
    MISCONCEPTIONS,
    *_VARIANT_PAGES.values(),
    WORKSHEET,
    GLOSSARY,
)
COURSE: tuple[Page, ...] = tuple(page for page in PAGES if page.step)
