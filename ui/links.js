// Links inside the app are real addresses: they open in a new tab, and work before this script runs. A plain click
// goes there without a reload: Streamlit draws the page of the address that the history names.
if (!window.attentionLinks) {
  window.attentionLinks = true;
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-go]");
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (link.href !== location.href) {
      history.pushState({}, "", link.href);
      window.dispatchEvent(new PopStateEvent("popstate"));
    }
    if (!link.closest("[data-stay]")) document.querySelector(".stMain")?.scrollTo(0, 0);
  });
}
