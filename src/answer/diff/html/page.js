(() => {
  const find = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];

  /** Opens the folds around an element. */
  function open(element) {
    for (let at = element.closest('details'); at; at = at.parentElement.closest('details')) at.open = true;
  }

  /** Unfolds the target of a link. */
  function unfold() {
    const target = document.getElementById(location.hash.slice(1));
    if (target) open(target);
  }
  addEventListener('hashchange', unfold);
  unfold();

  /** Moves to the next or the previous card that differs. */
  function step(by) {
    const cards = all('.card:not(.same) > summary');
    const at = document.activeElement.closest('.card')?.querySelector('summary');
    const here = cards.indexOf(at);
    const next = here < 0 ? (by > 0 ? 0 : cards.length - 1) : here + by;
    cards[next]?.focus();
  }

  /** Switches between unified and side by side, if the page is wide enough. */
  function turn() {
    const other = find('#split').checked ? find('#unified') : find('#split');
    if (find('.switch').checkVisibility()) other.checked = true;
  }

  const keys = (element) => (element.matches('input') ? {} : { j: () => step(1), k: () => step(-1), s: turn });

  /** Opens the folds around a search hit, and returns the heading to focus. */
  function home(element) {
    open(element);
    return element.closest('#plan a, summary') || element.closest('details')?.querySelector('summary') || element;
  }

  searching('.lines p b, .name, .path, .value, .what, .tag, .why, .verdict, .message', home, () => {}, keys);
})();
