// Monaco as a client of `rye-render lsp`. The page asks a server in check_monaco.py, which asks the language server.
const { file, text } = window.start;

const ask = async (method, params) => {
  const answer = await fetch('/ask', { method: 'POST', body: JSON.stringify({ method, params }) });
  return answer.json();
};
const here = { textDocument: { uri: file } };
const range = ({ start, end }) => new monaco.Range(start.line + 1, start.character + 1, end.line + 1, end.character + 1);
const place = ({ lineNumber, column }) => ({ line: lineNumber - 1, character: column - 1 });
const severities = [, monaco.MarkerSeverity.Error, monaco.MarkerSeverity.Warning, monaco.MarkerSeverity.Info, monaco.MarkerSeverity.Hint];

const model = monaco.editor.createModel(text, 'markdown', monaco.Uri.parse(file));
monaco.editor.create(document.getElementById('editor'), {
  model,
  automaticLayout: true,
  fontSize: 14,
  minimap: { enabled: false },
  scrollBeyondLastLine: false,
  unicodeHighlight: { nonBasicASCII: false, ambiguousCharacters: false },
});

async function check() {
  const { items } = await ask('textDocument/diagnostic', here);
  const marker = ({ range: at, severity, code, source, message }) => {
    const { startLineNumber, startColumn, endLineNumber, endColumn } = range(at);
    return { startLineNumber, startColumn, endLineNumber, endColumn, severity: severities[severity], code, source, message };
  };
  monaco.editor.setModelMarkers(model, 'rye-render', items.map(marker));
}

model.onDidChangeContent(async () => {
  await ask('textDocument/didChange', { textDocument: { uri: file, version: model.getVersionId() }, contentChanges: [{ text: model.getValue() }] });
  await check();
});

monaco.languages.registerHoverProvider('markdown', {
  async provideHover(_, position) {
    const hover = await ask('textDocument/hover', { ...here, position: place(position) });
    return hover && { contents: [{ value: hover.contents.value }], range: hover.range && range(hover.range) };
  },
});

monaco.languages.registerCodeActionProvider('markdown', {
  async provideCodeActions(_, at) {
    const asked = { start: place(at.getStartPosition()), end: place(at.getEndPosition()) };
    const actions = await ask('textDocument/codeAction', { ...here, range: asked, context: { diagnostics: [], only: ['quickfix'] } });
    const edit = ({ range: at, newText }) => ({ resource: model.uri, versionId: undefined, textEdit: { range: range(at), text: newText } });
    const action = (it) => ({ title: it.title, kind: it.kind, isPreferred: it.isPreferred, edit: { edits: it.edit.changes[file].map(edit) } });
    return { actions: actions.map(action), dispose() {} };
  },
});

window.model = model;
check();
