"""The site by the keyboard alone."""

from __future__ import annotations

import json

from browser import SIZES, Browser

_TAB, _ENTER, _ESCAPE, _SPACE, _LEFT, _RIGHT = (
    ("Tab", 9), ("Enter", 13), ("Escape", 27), (" ", 32), ("ArrowLeft", 37), ("ArrowRight", 39),
)  # fmt: skip

# A control that gets the focus shows so at once here: nothing fades in.
_PREPARE = """
(() => {
  const still = document.createElement("style");
  still.textContent = "* { transition: none !important; scroll-behavior: auto !important }";
  document.head.append(still);
  const isFirst = (e) => e.type != "radio" || e.checked ||
    !document.querySelector(`input[name="${e.name}"]:checked`) && e == document.querySelector(`input[name="${e.name}"]`);
  window.controls = () => [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex]")].filter(
    (e) => e.tabIndex >= 0 && !e.disabled && !e.closest("[inert]") && e.checkVisibility({ visibilityProperty: true }) &&
      isFirst(e));
  window.tell = (e) => {
    const text = (e.ariaLabel || e.innerText || e.title || e.id).trim().split("\\n")[0].slice(0, 40);
    return `<${e.localName} class="${e.className}"> ${text}`;
  };
  window.reached = new Set();
  // Where it shows that a control has the focus.
  window.place = (e) => e.matches(".md-option") ? e.nextElementSibling :
    e.matches(".tabbed-set > input") ? e.parentElement.querySelector(".tabbed-labels") : e;
  window.isSeen = () => {
    const e = place(document.activeElement), style = getComputedStyle(e), box = e.getBoundingClientRect();
    return style.outlineStyle != "none" && parseFloat(style.outlineWidth) >= 1 &&
      !/^(transparent|rgba\\(.*, 0\\))$/.test(style.outlineColor) &&
      e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      box.width > 0 && box.height > 0 &&
      box.right > 0 && box.left < innerWidth && box.bottom > 0 && box.top < innerHeight;
  };
  window.isNew = () => {
    const e = document.activeElement;
    if (e === document.body || e === document.documentElement || reached.has(e)) return false;
    return reached.add(e), true;
  };
})()
"""


def check(browser: Browser, base: str, failed: list[str]) -> None:
    browser.colours("light")
    for size in SIZES:
        browser.resize(size)
        for page in ("index.html", "tutorial.html"):
            tab_through(browser, f"{base}/{page}", f"{page}, {size}", failed)
            skip(browser, f"{base}/{page}", f"{page}, {size}", failed)
    browser.resize("desktop")
    switch_tabs(browser, f"{base}/tutorial.html", failed)
    switch_colours(browser, f"{base}/index.html", failed)
    browser.resize("phone")
    for page in ("index.html", "tutorial.html"):
        open_menu(browser, f"{base}/{page}", page, failed)
    move_in_menu(browser, base, failed)


def _open(browser: Browser, url: str) -> None:
    browser.open("about:blank")  # so that the focus is nowhere
    browser.open(url)
    browser.wait("document.querySelector('[data-md-component=search-query]') && !!window.component$")
    browser.value(_PREPARE)


def _follow(browser: Browser, name: str, failed: list[str]) -> int:
    """Presses Tab until no control is new; each has to show that it has the focus."""
    count = 0
    while True:
        browser.press(*_TAB)
        if not browser.value("isNew()"):
            return count
        count += 1
        # A script opens the search.
        if not browser.value("isSeen()") and not browser.wait("isSeen()"):
            failed.append(f"{name}: the focus is not seen at {browser.value('tell(document.activeElement)')}")


def tab_through(browser: Browser, url: str, name: str, failed: list[str]) -> None:
    _open(browser, url)
    browser.value("window.expected = controls(), null")
    _follow(browser, name, failed)
    for each in browser.value("expected.filter(e => !reached.has(e)).map(tell)"):
        failed.append(f"{name}: Tab does not reach {each}")
    if browser.value("reached.size") < 20:
        failed.append(f"{name}: Tab reaches {browser.value('reached.size')} controls")


def skip(browser: Browser, url: str, name: str, failed: list[str]) -> None:
    """The first control skips what is on every page."""
    _open(browser, url)
    browser.press(*_TAB)
    if not browser.value("document.activeElement.matches('.md-skip') && isSeen()"):
        failed.append(f"{name}: the first control is not the link to the content")
    browser.press(*_ENTER)
    if not browser.wait("location.hash.length > 1 && !!document.querySelector(':target')"):
        failed.append(f"{name}: the link to the content leads nowhere")
    browser.press(*_TAB)
    if not browser.value("!!document.activeElement.closest('.md-content')"):
        failed.append(f"{name}: the link to the content leads to {browser.value('tell(document.activeElement)')}")


def switch_tabs(browser: Browser, url: str, failed: list[str]) -> None:
    """The arrows choose a language, in all programs of the page."""
    _open(browser, url)
    sets = browser.value("document.querySelectorAll('.tabbed-set').length")
    if sets < 4:
        failed.append(f"the tutorial has {sets} sets of tabs")
    shown = """[...new Set([...document.querySelectorAll('.tabbed-set')].map(set =>
      [...set.querySelectorAll(':scope > .tabbed-content > .tabbed-block')].findIndex(e => e.checkVisibility()) + ' ' +
      [...set.querySelectorAll(':scope > input')].findIndex(e => e.checked)))].join()"""
    browser.value("document.querySelector('.tabbed-set > input').focus()")
    for key, expected in ((_RIGHT, "1 1"), (_RIGHT, "2 2"), (_LEFT, "1 1"), (_LEFT, "0 0")):
        browser.press(*key)
        if not browser.wait(f"{shown} == '{expected}'"):
            failed.append(f"the tutorial shows the tabs {browser.value(shown)} after {key[0]}, not {expected}")


def switch_colours(browser: Browser, url: str, failed: list[str]) -> None:
    """The colours are those of the system, always light, always dark, and those of the system again."""
    _open(browser, url)
    dark = "parseInt(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0]) < 128"
    label = "[...document.querySelectorAll('[data-md-component=palette] label')].findIndex(e => !e.hidden)"
    for first, second in ((_ENTER, _SPACE), (_SPACE, _ENTER)):
        _open(browser, url)
        for _ in range(40):
            browser.press(*_TAB)
            if browser.value("document.activeElement.matches('.md-option')"):
                break
        for key, expected in ((first, [1, False]), (second, [2, True]), (first, [0, False])):
            browser.press(*key)
            if not browser.wait(f"{label} == {expected[0]}") or browser.value(dark) != expected[1]:
                failed.append(f"{key[0]!r} does not switch to the colours {expected[0]}")
            if not browser.value("document.activeElement.matches('.md-option') && isSeen()"):
                failed.append(f"the focus is lost when {key[0]!r} switches the colours")
    # A choice stays, and the focus shows it.
    browser.press(*_ENTER)
    _open(browser, url)
    _follow(browser, "the first page in chosen colours", failed)
    browser.value("localStorage.clear()")


def _go_to_menu(browser: Browser, name: str, failed: list[str]) -> bool:
    for _ in range(10):
        browser.press(*_TAB)
        if browser.value("document.activeElement.matches('label[for=__drawer]') && isSeen()"):
            return True
    failed.append(f"{name}: Tab does not reach the button of the menu")
    return False


_OPEN = """(() => {
  const menu = document.querySelector('.md-sidebar--primary'), box = menu.getBoundingClientRect();
  return box.left >= 0 && box.right <= innerWidth && menu.contains(document.activeElement) && isSeen();
})()"""
_CLOSED = """document.querySelector('.md-sidebar--primary').getBoundingClientRect().right <= 0 &&
  document.activeElement.matches('.md-header label[for=__drawer]')"""


def open_menu(browser: Browser, url: str, name: str, failed: list[str]) -> None:
    """On a phone: Enter and the space bar open the menu, Tab stays in it, Escape closes it."""
    for key in (_ENTER, _SPACE):
        _open(browser, url)
        if not _go_to_menu(browser, name, failed):
            return
        browser.press(*key)
        if not browser.wait(_OPEN):
            failed.append(f"{name}: {key[0]!r} does not open the menu")
            return
        browser.value("reached.clear(), isNew(), window.expected = controls(), null")
        outside = "expected.filter(e => !e.closest('.md-sidebar--primary')).map(tell)"
        for each in browser.value(outside):
            failed.append(f"{name}: behind the menu is {each}")
        _follow(browser, f"{name}, menu", failed)
        for each in browser.value("expected.filter(e => !reached.has(e)).map(tell)"):
            failed.append(f"{name}: in the menu, Tab does not reach {each}")
        if browser.value("reached.size") < 8:
            failed.append(f"{name}: the menu has {browser.value('reached.size')} controls")
        browser.press(*_ESCAPE)
        if not browser.wait(_CLOSED):
            failed.append(f"{name}: Escape does not close the menu")


def move_in_menu(browser: Browser, base: str, failed: list[str]) -> None:
    """On a phone: back from the list of a section, and to another one."""
    _open(browser, f"{base}/tasks/loops.html")
    if not _go_to_menu(browser, "a task", failed):
        return
    browser.press(*_ENTER)
    title = "document.activeElement.matches('.md-nav__title') && isSeen() && document.activeElement.innerText.trim()"
    if not browser.wait(f"{title} == 'Tasks'"):
        failed.append(f"the menu of a task begins at {browser.value('tell(document.activeElement)')}")
    browser.press(*_ENTER)
    entry = "document.activeElement.matches('.md-nav__link') && isSeen() && document.activeElement.innerText.trim()"
    if not browser.wait(f"{entry} == 'Tasks'"):
        failed.append(f"back from the tasks the focus is at {browser.value('tell(document.activeElement)')}")
    browser.press(*_ENTER)
    if not browser.wait(f"{title} == 'Tasks'"):
        failed.append(f"Enter leads to {browser.value('tell(document.activeElement)')}, not to the tasks")
    browser.press(*_SPACE)
    browser.wait(f"{entry} == 'Tasks'")
    for _ in range(10):
        browser.press(*_TAB)
        if browser.value(f"{entry} == 'Operators'"):
            break
    browser.press(*_ENTER)
    expected = json.dumps(f"{base}/operators/")
    if not browser.wait(f"location.href.startsWith({expected})"):
        failed.append(f"the menu leads to {browser.value('location.href')}, not to the operators")
