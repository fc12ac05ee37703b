// Links inside the app are real addresses: they open in a new tab, and work before this script runs. A plain click
// goes there without a reload: Streamlit draws the page of the address that the history names. The focus goes to the new
// page's heading, which is so read aloud, and so it does where the same page asks something new. Else it stays on the
// link, or goes to the one drawn in its place. Where the address names a place on the page (#term-mask), the focus goes
// there, however one came.
if (!window.attentionLinks) {
  window.attentionLinks = true;
  const PATIENCE = 10000;
  const QUIET = 1500;
  const HEARD = 250;
  const heading = () => document.querySelector("h1.question");
  let stop = () => {};

  const drawnAgain = (link) => !link.isConnected && [...document.querySelectorAll("a[data-go]")].find((other) =>
    other.textContent === link.textContent && other.parentElement.className === link.parentElement.className);

  // Gives the focus to what `find` finds once it is there, unless the viewer has put it elsewhere meanwhile.
  function focusOnceDrawn(link, find) {
    stop();
    const observer = new MutationObserver(() => {
      const el = find();
      if (!el) return;
      stop();
      if (isLost(link)) el.focus({ preventScroll: true });
    });
    const timer = setTimeout(() => stop(), PATIENCE);
    stop = () => {
      observer.disconnect();
      clearTimeout(timer);
    };
    observer.observe(document.body, { childList: true, subtree: true });
  }

  function toRead(el) {
    el.tabIndex = -1;
    el.style.outline = "none";
    return el;
  }

  // Where the focus goes from a link: a function that finds it once it is drawn.
  function placeAfter(link, isHere) {
    const before = heading();
    const asked = before?.textContent;
    const { className } = link.parentElement;
    const groups = () => [...new Set([...document.querySelectorAll("a[data-go]")].map(({ parentElement }) => parentElement))]
      .filter((group) => group.className === className);
    const there = groups();
    const place = there.indexOf(link.parentElement);
    return () => {
      const el = heading();
      if (el && (isHere ? el.textContent !== asked : el !== before)) return toRead(el);
      if (!isHere || link.isConnected) return null;
      const now = groups();
      return drawnAgain(link) || (now.length === there.length && now[place]?.querySelector("a[data-go]"));
    };
  }

  const isLost = (link) => [link, document.body, null].includes(document.activeElement);

  function named() {
    const el = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!el) return null;
    el.scrollIntoView({ block: "center" });
    return el;
  }

  // The named place may stand there already, come with the page, or move and be drawn again while the page is drawn: it
  // is kept in sight until nothing has changed for a moment, or the viewer does something.
  function goToNamed(link = document.activeElement) {
    if (!location.hash) return;
    stop();
    let reached = null;
    let timer = setTimeout(() => stop(), PATIENCE);
    const look = () => {
      const el = named();
      if (!el) return;
      clearTimeout(timer);
      timer = setTimeout(() => stop(), QUIET);
      if ([link, reached, document.body, null].includes(document.activeElement)) el.focus({ preventScroll: true });
      reached = el;
    };
    const observer = new MutationObserver(look);
    const acts = ["wheel", "touchmove", "keydown", "pointerdown"];
    const leave = () => stop();
    stop = () => {
      observer.disconnect();
      clearTimeout(timer);
      acts.forEach((act) => window.removeEventListener(act, leave, true));
      stop = () => {};
    };
    observer.observe(document.body, { childList: true, subtree: true });
    acts.forEach((act) => window.addEventListener(act, leave, true));
    look();
  }
  window.addEventListener("popstate", () => goToNamed());
  goToNamed();

  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const isTyping = (el = document.activeElement) =>
    el?.shadowRoot?.activeElement ? isTyping(el.shadowRoot.activeElement) : Boolean(el?.matches("input, textarea"));

  // What was changed a moment ago is on its way: only then do the links know of it.
  async function settled(typed) {
    if (typed) await pause(HEARD);
    const end = Date.now() + PATIENCE;
    while (Date.now() < end && !document.querySelector(".stApp[data-test-script-state=notRunning]")) await pause(30);
  }

  // Some links keep the viewer's place on the page, which may be newer than they are.
  function kept({ href, dataset: { keep = "" } }) {
    const here = new URLSearchParams(location.search);
    const there = new URL(href);
    for (const name of keep.split(" ")) if (here.has(name)) there.searchParams.set(name, here.get(name));
    return there.href;
  }

  // A link may be gone, with nothing in its place.
  async function focusAtLeast(link) {
    await settled(true);
    if (!link.isConnected && isLost(link) && heading()) toRead(heading()).focus({ preventScroll: true });
  }

  async function follow(pressed, typed) {
    await settled(typed);
    const link = drawnAgain(pressed) || pressed;
    const href = kept(link);
    if (!link.dataset.keep) document.querySelector(".stMain")?.scrollTo(0, 0);
    if (href === location.href) {
      goToNamed(link);
      return;
    }
    const isHere = link.pathname === location.pathname;
    if (!link.hash) focusOnceDrawn(link, placeAfter(link, isHere));
    history.pushState({}, "", href);
    window.dispatchEvent(new PopStateEvent("popstate"));
    if (isHere && !link.hash) focusAtLeast(link);
  }

  let pressed = null;
  document.addEventListener("pointerdown", (event) => {
    const link = event.button ? null : event.target.closest?.("a[data-go]");
    pressed = link && { link, typed: isTyping() };
  }, true);
  // A link that was drawn anew under the pointer gets no click.
  document.addEventListener("pointerup", () => {
    if (pressed && !pressed.link.isConnected) follow(pressed.link, pressed.typed);
  }, true);

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-go]");
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    follow(link, pressed?.link === link && pressed.typed);
  });
}
