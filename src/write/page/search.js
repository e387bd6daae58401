'use strict';
document.documentElement.classList.add('js');

/**
 * Searches the text of the elements that a selector matches. A hit may span several elements inside one of them. `home`
 * returns the element to focus for an element with a hit; then `arrived` is called. `others` returns further key
 * actions for the element that has the focus.
 */
function searching(selector, home, arrived, others) {
  const MOST = 5000;
  const input = document.querySelector('#search');
  const count = document.querySelector('#count');
  let areas = null;
  let hits = [];
  let current = -1;

  /** An area's text, with its text nodes. */
  function read(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const nodes = [];
    const starts = [];
    let length = 0;
    while (walker.nextNode()) {
      nodes.push(walker.currentNode);
      starts.push(length);
      length += walker.currentNode.length;
    }
    return { root, nodes, starts, text: root.textContent };
  }

  /** The last node that begins at or before an offset. */
  function locate(area, offset) {
    let [low, high] = [0, area.starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (area.starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return [area.nodes[low], offset - area.starts[low]];
  }

  function search() {
    const wanted = input.value;
    hits = [];
    current = -1;
    if (wanted) {
      areas ??= [...document.querySelectorAll(selector)].map(read);
      const pattern = new RegExp(wanted.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&'), 'giu');
      for (const area of areas) {
        for (const match of area.text.matchAll(pattern)) {
          if (hits.length === MOST) break;
          const range = document.createRange();
          range.setStart(...locate(area, match.index));
          const [last, end] = locate(area, match.index + match[0].length - 1);
          range.setEnd(last, end + 1);
          hits.push(range);
        }
      }
    }
    paint();
  }

  function paint() {
    const all = hits.length === MOST ? `${MOST}+` : `${hits.length}`;
    count.textContent = !input.value ? '' : current < 0 ? `${all} found` : `${current + 1} of ${all}`;
    if (!globalThis.CSS?.highlights) return;
    CSS.highlights.set('hit', new Highlight(...hits));
    const now = new Highlight(...(hits[current] ? [hits[current]] : []));
    now.priority = 1;
    CSS.highlights.set('current', now);
  }

  function go(by) {
    if (!hits.length) return;
    current = current < 0 ? (by > 0 ? 0 : hits.length - 1) : (current + by + hits.length) % hits.length;
    paint();
    const range = hits[current];
    const element = range.startContainer.parentElement;
    const target = home(element);
    if (!target.hasAttribute('tabindex') && !target.matches('a, summary')) target.tabIndex = -1;
    target.focus({ preventScroll: true });
    arrived(element);
    target.scrollIntoView({ block: 'nearest' });
    element.scrollIntoView({ block: 'nearest' });
    const box = range.getBoundingClientRect();
    if (box.top < 80 || box.bottom > innerHeight * 0.6) scrollBy({ top: box.top - innerHeight / 3 });
  }

  input.addEventListener('input', search);

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = event.target === input
      ? { Enter: () => go(event.shiftKey ? -1 : 1), Escape: () => { input.value = ''; search(); input.blur(); } }
      : {
          '/': () => { input.focus(); input.select(); },
          n: hits.length && (() => go(1)),
          N: hits.length && (() => go(-1)),
          ...others(event.target),
        };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
