(() => {
  const find = (selector, root = document) => root.querySelector(selector);
  const panel = find('#origin');
  const slots = Object.fromEntries([...panel.querySelectorAll('[data-field]')].map((slot) => [slot.dataset.field, slot]));

  // ── The panel: the origin of the text under the pointer or with the focus.

  /** The element that the panel is pinned to; null if it follows the pointer. */
  let held = null;
  let here = null;
  let marked = [];

  /** The layer, row or gap that an element belongs to; for a row of the plan, its layer. */
  function subject(element) {
    const it = element?.closest?.('.layer, .between, #plan li > a');
    const target = it?.matches('a') && document.getElementById(it.hash.slice(1));
    return target && target.matches('.layer') ? target : it;
  }

  function fill(name, text) {
    const slot = slots[name];
    // A name or path breaks after a slash or an underscore.
    const parts = (text || '').split(/(?<=[/_])/);
    slot.replaceChildren(...parts.flatMap((part, at) => (at ? [document.createElement('wbr'), part] : [part])));
    if (slot.matches('dd')) slot.hidden = slot.previousElementSibling.hidden = !text;
  }

  function excerpt(text) {
    const shown = [...text.slice(0, 400)].slice(0, 160).join('');
    return shown.length < text.length ? shown + '…' : shown;
  }

  function show(element) {
    const about = subject(element);
    if (!about) return;
    const segment = element.closest('.s') || (about.matches('.between') ? find('.s', about) : null);
    const { name, what, asked, from, trust, size, why, number, row } = about.dataset;
    for (const [field, text] of Object.entries({ name, what, asked, from, trust, size, why, number })) fill(field, text);
    slots.number.hidden = !number;
    slots.number.className = `badge ${/h\d/.exec(about.className) || ''}`;
    slots.row.hidden = !row;
    if (row) slots.row.hash = '#' + row;
    find('.segment', panel).hidden = !segment;
    if (segment) {
      fill('excerpt', excerpt(segment.textContent));
      fill('origin', segment.dataset.origin);
      fill('segment-size', segment.dataset.size);
    }
    if (here !== segment) {
      here?.classList.remove('here');
      here = segment;
      here?.classList.add('here');
    }
    mark(about);
    panel.classList.add('open');
  }

  /** Marks a layer and its row of the plan. */
  function mark(about) {
    const row = about.dataset.row && document.getElementById(about.dataset.row);
    const now = [about, row].filter(Boolean);
    for (const one of marked) if (!now.includes(one)) one.classList.remove('on');
    for (const one of now) one.classList.add('on');
    marked = now;
  }

  function hold(element) {
    held = element;
    panel.classList.toggle('pinned', Boolean(held));
    if (held) show(held);
  }

  function close() {
    hold(null);
    panel.classList.remove('open');
    here?.classList.remove('here');
    here = null;
    for (const one of marked) one.classList.remove('on');
    marked = [];
  }

  // Scrolling under a resting pointer must not change the panel.
  let rest = '';
  document.addEventListener('pointerover', (event) => {
    const at = `${event.screenX} ${event.screenY}`;
    if (!held && event.pointerType !== 'touch' && at !== rest) show(event.target);
    rest = at;
  });
  document.addEventListener('pointermove', (event) => { rest = `${event.screenX} ${event.screenY}`; }, { passive: true });
  document.addEventListener('focusin', (event) => {
    const about = subject(event.target);
    if (!about) return;
    if (held && subject(held) !== about) hold(null);
    if (!held) show(event.target);
    reveal(about);
  });
  document.addEventListener('click', (event) => {
    const element = event.target.closest('.s, .layer, .between');
    if (!element) return;
    // A click on the pinned element unpins it; a click that ends a selection changes nothing.
    if (!getSelection().isCollapsed) return;
    hold(held === element ? null : element);
  });
  find('#close').addEventListener('click', close);

  /** Scrolls the row of a layer into view if the plan scrolls separately. */
  function reveal(about) {
    const row = document.getElementById(about.dataset.row || '');
    const plan = find('#plan');
    if (!row || plan.scrollHeight <= plan.clientHeight) return;
    const [box, frame] = [row.getBoundingClientRect(), plan.getBoundingClientRect()];
    if (box.top < frame.top) plan.scrollTop += box.top - frame.top - 8;
    if (box.bottom > frame.bottom) plan.scrollTop += box.bottom - frame.bottom + 8;
  }

  // ── Keys: move between segments, move between text and plan, pin and unpin.

  const LAYERS = '.layer';
  const layers = [...document.querySelectorAll(LAYERS)];

  function focus(element) {
    if (!element) return;
    if (!element.hasAttribute('tabindex')) element.tabIndex = -1;
    element.focus();
  }

  /** Focuses the next or previous segment, in this layer or the nearest one that has segments. */
  function step(forward) {
    const at = document.activeElement.closest(LAYERS);
    if (!at) return;
    const segment = document.activeElement.closest('.s');
    const beside = segment ? (forward ? segment.nextElementSibling : segment.previousElementSibling) : forward && at.firstElementChild;
    if (beside) return focus(beside);
    for (let index = layers.indexOf(at) + (forward ? 1 : -1); layers[index]; index += forward ? 1 : -1) {
      const next = forward ? layers[index].firstElementChild : layers[index].lastElementChild;
      if (next) return focus(next);
    }
  }

  /** The actions of keys on an element. */
  function keys(element) {
    const on = element.closest('.s, .layer');
    return {
      j: on && (() => step(true)),
      k: on && (() => step(false)),
      ArrowRight: on && (() => step(true)),
      ArrowLeft: on && (() => step(false)),
      Enter: on && (() => hold(held === element ? null : element)),
      p: on && (() => find(`#${on.closest(LAYERS).dataset.row} a`)?.focus()),
      Escape: () => (held ? hold(null) : close()),
    };
  }

  /** Unfolds a tool that a link leads to. */
  function unfold() {
    const target = document.getElementById(location.hash.slice(1));
    if (target?.matches('details')) target.open = true;
  }
  addEventListener('hashchange', unfold);
  unfold();

  // ── Search: in texts, names and paths, across segments.

  const SEARCHED = '.text, .name, .path, .whole, .why, .call, .value, .description, .schema, .message';

  /** The element to focus for a hit: its layer, or its counterpart elsewhere on the page. */
  function home(element) {
    hold(null);
    const gap = element.closest('.between');
    if (gap) return gap.nextElementSibling || gap.previousElementSibling;
    const about = subject(element);
    if (about) return about;
    const details = element.closest('details');
    if (details) {
      details.open = true;
      return find('summary', details);
    }
    return element;
  }

  searching(SEARCHED, home, show, keys);
})();
