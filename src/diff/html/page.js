(() => {
  const find = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];

  /** Opens what an element stands in. */
  function open(element) {
    for (let at = element.closest('details'); at; at = at.parentElement.closest('details')) at.open = true;
  }

  /** A link to what is folded unfolds it. */
  function unfold() {
    const target = document.getElementById(location.hash.slice(1));
    if (target) open(target);
  }
  addEventListener('hashchange', unfold);
  unfold();

  /** The heading of the next card that differs, or of the one before. */
  function step(by) {
    const cards = all('.card:not(.same) > summary');
    const at = document.activeElement.closest('.card')?.querySelector('summary');
    const here = cards.indexOf(at);
    const next = here < 0 ? (by > 0 ? 0 : cards.length - 1) : here + by;
    cards[next]?.focus();
  }

  /** The other way to show lines, where there is room for both. */
  function turn() {
    const other = find('#split').checked ? find('#unified') : find('#split');
    if (find('.switch').checkVisibility()) other.checked = true;
  }

  const keys = (element) => (element.matches('input') ? {} : { j: () => step(1), k: () => step(-1), s: turn });

  /** What takes the focus for a hit: the heading of what it stands in, which is opened. */
  function home(element) {
    open(element);
    return element.closest('#plan a, summary') || element.closest('details')?.querySelector('summary') || element;
  }

  searching('.lines p b, .name, .path, .value, .what, .tag, .why, .verdict, .message', home, () => {}, keys);
})();
