/* Makes the theme's mouse-only controls work by the keyboard: the space bar switches the colours, and a narrow window's menu
   opens, leads back and closes. What the menu covers, and a menu that is closed, gets no focus. */
{
  const narrow = matchMedia("(max-width: 76.234375em)"); // The theme's own limit.
  const drawer = document.getElementById("__drawer");
  const menu = document.querySelector(".md-sidebar--primary");
  const opener = document.querySelector(".md-header__button[for=__drawer]");
  const behind = document.querySelectorAll(
    "[data-md-component=skip], .md-header, .md-tabs, .md-content, .md-sidebar--secondary, .md-footer, .md-top",
  );
  // The theme clicks a label with the focus at Enter.
  const labels = [opener, ...menu.querySelectorAll("label[for]:not([for=__drawer])")];
  const order = new Map(labels.map((label) => [label, label.getAttribute("tabindex")]));

  const update = () => {
    const isMenu = narrow.matches;
    menu.inert = isMenu && !drawer.checked;
    for (const part of behind) part.inert = isMenu && drawer.checked;
    opener.setAttribute("aria-expanded", drawer.checked);
    for (const [label, before] of order) {
      if (isMenu) label.tabIndex = 0;
      else if (before === null) label.removeAttribute("tabindex");
      else label.setAttribute("tabindex", before);
    }
    // A list of which an entry is open lies behind the list of that entry.
    for (const list of menu.querySelectorAll(".md-nav__list")) {
      const open = [...list.children].find((entry) => entry.querySelector(":scope > .md-nav__toggle:checked"));
      const isCovered = isMenu && open !== undefined;
      const title = list.parentElement.querySelector(":scope > .md-nav__title");
      if (title) title.inert = isCovered;
      for (const entry of list.children) {
        entry.inert = isCovered && entry !== open;
        const toggle = entry.querySelector(":scope > .md-nav__toggle");
        if (!toggle) continue;
        for (const part of entry.children) {
          part.inert = part.matches(".md-nav") ? isMenu && !toggle.checked : isCovered;
        }
      }
    }
  };

  const isReachable = (element) => !element.closest("[inert]") && element.checkVisibility();
  const focusMenu = () => {
    const first = [...menu.querySelectorAll("a[href], label[tabindex='0']")].find(isReachable);
    first?.focus({ preventScroll: true });
  };

  for (const label of labels) label.role = "button";
  opener.ariaLabel = "Menu";
  drawer.addEventListener("change", () => {
    const wasInside = menu.contains(document.activeElement);
    update();
    if (!narrow.matches) return;
    if (drawer.checked) focusMenu();
    else if (wasInside) opener.focus({ preventScroll: true });
  });
  menu.addEventListener("change", ({ target }) => {
    update();
    if (!narrow.matches) return;
    const entry = target.parentElement;
    if (target.checked) entry.querySelector(":scope > .md-nav > .md-nav__title")?.focus({ preventScroll: true });
    else [...entry.querySelectorAll("label.md-nav__link")].find(isReachable)?.focus({ preventScroll: true });
  });
  narrow.addEventListener("change", update);
  update();

  window.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (key === "Escape" && narrow.matches && drawer.checked) {
      drawer.click();
      opener.focus({ preventScroll: true });
    } else if (key === " " && target.matches("label[tabindex='0']")) {
      event.preventDefault();
      target.click();
    } else if (key === " " && target.matches(".md-option")) {
      event.preventDefault();
      // The theme listens to this key alone.
      target.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    }
  });

  // The colours are radio buttons, of which the checked one gets the focus: the one whose label is shown.
  for (const option of document.querySelectorAll(".md-option")) {
    if (!option.nextElementSibling.hidden) option.checked = true;
  }
  // The arrows move in the results.
  document.querySelector(".md-search__scrollwrap")?.setAttribute("tabindex", "-1");
}
