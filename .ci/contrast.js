// Counts the visible pieces of text on a page, and lists those whose contrast with their background is below a bound.
//
// A canvas converts colours from any notation.
(bound) => {
  const canvas = Object.assign(document.createElement('canvas'), {width: 1, height: 1});
  const context = canvas.getContext('2d', {willReadFrequently: true});
  const cache = new Map();
  const rgba = (colour) => {
    if (!cache.has(colour)) {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
      cache.set(colour, [r, g, b, a / 255]);
    }
    return cache.get(colour);
  };
  const over = ([r, g, b, a], [s, h, c]) => [r * a + s * (1 - a), g * a + h * (1 - a), b * a + c * (1 - a), 1];
  const ground = (element) => {
    if (!element) return rgba('Canvas');
    const colour = rgba(getComputedStyle(element).backgroundColor);
    return colour[3] === 1 ? colour : over(colour, ground(element.parentElement));
  };
  const linear = (v) => (v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => .2126 * linear(r / 255) + .7152 * linear(g / 255) + .0722 * linear(b / 255);
  const contrast = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + .05) / (y + .05);
  };
  const opacity = (element) => element ? +getComputedStyle(element).opacity * opacity(element.parentElement) : 1;
  const low = [];
  let seen = 0;
  const check = (element, pseudo, text) => {
    const style = getComputedStyle(element, pseudo);
    if (style.display === 'none' || style.visibility === 'hidden' || !element.getClientRects().length) return;
    const own = pseudo ? rgba(style.backgroundColor) : [0, 0, 0, 0];
    const below = over(own, ground(element));
    const alpha = rgba(style.color)[3] * opacity(element) * (pseudo ? +style.opacity : 1);
    const ratio = contrast(over([...rgba(style.color).slice(0, 3), alpha], below), below);
    seen += 1;
    if (ratio >= bound) return;
    low.push(`${ratio.toFixed(2)} ${element.tagName}.${element.className}${pseudo || ''}: ${text.trim().slice(0, 30)}`);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (walker.currentNode.data.trim() && !element.closest('script, style, svg')) check(element, null, walker.currentNode.data);
  }
  for (const element of document.body.querySelectorAll('*')) {
    for (const pseudo of ['::before', '::after']) {
      const content = getComputedStyle(element, pseudo).content;
      if (!['none', 'normal', '""'].includes(content)) check(element, pseudo, content);
    }
  }
  check(document.querySelector('#search'), '::placeholder', 'placeholder');
  for (const name of ['hit', 'current']) {
    const style = getComputedStyle(document.querySelector('.text, .lines'), `::highlight(${name})`);
    const ratio = contrast(rgba(style.color), rgba(style.backgroundColor));
    if (ratio < bound) low.push(`${ratio.toFixed(2)} ::highlight(${name})`);
  }
  return {seen, low};
}
