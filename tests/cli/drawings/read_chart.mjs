// Parses a chart with Mermaid's own parser, which needs a DOM.
import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";

const { window } = new JSDOM("");
globalThis.window = window;
globalThis.document = window.document;
const { default: mermaid } = await import("mermaid");
mermaid.initialize({ startOnLoad: false });

const chart = readFileSync(0, "utf8");
await mermaid.parse(chart);
const { db } = await mermaid.mermaidAPI.getDiagramFromText(chart);

// Mermaid keeps `#35;` as `ﬂ°°35¶ß` until it draws; then a browser decodes the result.
const field = window.document.createElement("textarea");
function seen(line) {
  field.innerHTML = line.replaceAll("ﬂ°°", "&#").replaceAll("ﬂ°", "&").replaceAll("¶ß", ";");
  return field.value;
}
const lines = ({ text }) => text.split(/<br\/?>/).map(seen);
console.log(JSON.stringify({
  nodes: [...db.getVertices().values()].map(lines),
  edges: db.getEdges().map(lines),
}));
