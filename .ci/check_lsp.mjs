// Asks `rye-render lsp` with the npm package `vscode-languageserver-protocol`: what an editor with several folders asks, and
// what none should.
//
//     cp .ci/lsp/package*.json FOLDER && (cd FOLDER && npm ci)
//     node .ci/check_lsp.mjs target/debug/rye-render FOLDER
//
// Prints a last line `N passed, M failed`; exits with status 1 on a failure.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [program, packages] = process.argv.slice(2).map((it) => path.resolve(it));
const require = createRequire(path.join(packages, 'package.json'));
const protocol = require('vscode-languageserver-protocol/node');
const shop = fileURLToPath(new URL('../testdata/documents/shop', import.meta.url));
const home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'lsp-')));
process.on('exit', () => fs.rmSync(home, { recursive: true }));
const env = { ...process.env, HOME: home, NO_COLOR: '1', COLUMNS: '100' };
const directive = '.ai/directives/deploy.md';
let [passed, failed] = [0, 0];

function check(what, test) {
  try {
    test();
    passed++;
  } catch (error) {
    failed++;
    console.log('FAIL', what, String(error.message).slice(0, 700));
  }
}

function commandLine(folder, words, input) {
  const run = spawnSync(program, words, { cwd: folder, env, input, encoding: 'utf8' });
  assert.ok(run.status === 0 || run.status === 1, run.stderr);
  return run.stdout;
}

/// A copy of the shop, whose directive names an input of its own that is missing.
function project(name) {
  const folder = path.join(home, name);
  fs.cpSync(shop, folder, { recursive: true });
  const file = path.join(folder, directive);
  const before = '<before>deploy/rules</before>';
  const text = fs.readFileSync(file, 'utf8').replace(before, before + before).replace('first alarm.', `first alarm 😀 {input:${name.length}}.`);
  fs.writeFileSync(file, text);
  return { folder, file, text, uri: pathToFileURL(file).href };
}

/// The code and place of each finding, in UTF-16.
function linted({ folder, text }) {
  const { findings } = JSON.parse(commandLine(folder, ['lint', '--format=json', '--stdin-filename', directive], text));
  const place = (line, column) => [line - 1, [...text.split('\n')[line - 1]].slice(0, column - 1).join('').length];
  const own = findings.map(({ code, source: at }) => ({ code, at })).filter(({ at }) => at.path === directive);
  return own.map(({ code, at }) => [code, ...place(at.line, at.column), ...place(at.end_line, at.end_column)]);
}

const shown = (items) => items.map(({ code, range: { start, end } }) => [code, start.line, start.character, end.line, end.character]);

function edited(text, edits) {
  const lines = text.split('\n');
  const offset = ({ line, character }) => lines.slice(0, line).join('\n').length + (line ? 1 : 0) + character;
  const last = [...edits].sort((a, b) => offset(b.range.start) - offset(a.range.start));
  return last.reduce((all, { range, newText }) => all.slice(0, offset(range.start)) + newText + all.slice(offset(range.end)), text);
}

class Editor {
  constructor() {
    this.server = spawn(program, ['lsp'], { cwd: home, env, stdio: ['pipe', 'pipe', 'inherit'] });
    const [reader, writer] = [new protocol.StreamMessageReader(this.server.stdout), new protocol.StreamMessageWriter(this.server.stdin)];
    this.connection = protocol.createProtocolConnection(reader, writer);
    this.asked = [];
    this.connection.onRequest((method, params) => {
      this.asked.push([method, params]);
      this.noted?.();
      return null;
    });
    this.connection.listen();
  }

  /// The parameters of the next request of the server with this method.
  async askedFor(method) {
    for (;;) {
      const at = this.asked.findIndex(([it]) => it === method);
      if (at >= 0) return this.asked.splice(at, 1)[0][1];
      await new Promise((resolve) => (this.noted = resolve));
    }
  }

  ask(method, params) {
    return this.connection.sendRequest(method, params);
  }

  refused(method, params) {
    return this.ask(method, params).then((result) => ({ result }), ({ code, message }) => ({ code, message }));
  }

  tell(method, params) {
    return this.connection.sendNotification(method, params);
  }

  about({ uri, text }, mark, after = 0) {
    const before = text?.slice(0, text.indexOf(mark) + after).split('\n') ?? [''];
    return { textDocument: { uri }, position: { line: before.length - 1, character: before.at(-1).length } };
  }

  async start(folders) {
    const workspaceFolders = folders.map((it) => ({ uri: pathToFileURL(it).href, name: path.basename(it) }));
    const capabilities = {
      textDocument: { diagnostic: {} },
      window: { showDocument: { support: true } },
      workspace: { workspaceFolders: true, textDocumentContent: {} },
    };
    const { capabilities: able } = await this.ask('initialize', { processId: process.pid, rootUri: null, workspaceFolders, capabilities });
    await this.tell('initialized', {});
    return able;
  }

  open({ uri, text }) {
    return this.tell('textDocument/didOpen', { textDocument: { uri, languageId: 'markdown', version: 1, text } });
  }

  change({ uri }, contentChanges) {
    return this.tell('textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges });
  }

  async diagnostics({ uri }) {
    return shown((await this.ask('textDocument/diagnostic', { textDocument: { uri } })).items);
  }

  async end() {
    await this.ask('shutdown');
    const late = await this.refused('textDocument/hover', this.about({ uri: 'file:///a.md' }));
    check('a question after the end', () => assert.equal(late.code, protocol.ErrorCodes.InvalidRequest));
    const ended = new Promise((resolve) => this.server.on('exit', resolve));
    await this.tell('exit');
    const status = await ended;
    check('the end', () => assert.equal(status, 0));
  }
}

/// The same questions as in check_lsp.py.
async function questions(editor, shop) {
  const { folder, uri, text } = shop;
  const range = { start: { line: 0, character: 0 }, end: { line: 999, character: 0 } };
  const actions = (only) => editor.ask('textDocument/codeAction', { textDocument: { uri }, range, context: { diagnostics: [], only } });
  const fixed = commandLine(folder, ['lint', '--fix', '--stdin-filename', directive], text);
  const [fix] = await actions(['quickfix']);
  check('a quick fix', () => assert.equal(edited(text, fix.edit.changes[uri]), fixed));
  const all = await actions(['source']);
  check('all fixes', () => assert.deepEqual(all.map((it) => edited(text, it.edit.changes[uri])), [fixed]));
  const hover = await editor.ask('textDocument/hover', editor.about(shop, 'Watch the error'));
  const line = text.slice(0, text.indexOf('Watch the error')).split('\n').length;
  env.COLUMNS = '76';
  const explained = commandLine(folder, ['explain', 'deploy', '--placeholders', '--from', `${directive}:${line}`]).trim();
  env.COLUMNS = '100';
  check('hover', () => assert.ok(hover.contents.value.includes(explained), `${hover.contents.value} has not ${explained}`));
  const target = await editor.ask('textDocument/definition', editor.about(shop, 'deploy/rules', 3));
  check('definition', () => assert.equal(fileURLToPath(target.uri), path.join(folder, '.ai/knowledge/deploy/rules.md')));
  const places = await editor.ask('textDocument/references', { ...editor.about(shop, 'deploy/rules', 3), context: { includeDeclaration: false } });
  check('references', () => assert.equal(places.length, text.split('deploy/rules').length - 1));
  const renamed = await editor.ask('textDocument/rename', { ...editor.about(shop, 'deploy/rules', 3), newName: 'deploy/law' });
  const [{ edits }, moved] = renamed.documentChanges;
  check('rename', () => assert.equal(edited(text, edits), text.replaceAll('deploy/rules', 'deploy/law')));
  check('the renamed file', () => assert.equal(fileURLToPath(moved.newUri), path.join(folder, '.ai/knowledge/deploy/law.md')));
  const offered = await editor.ask('textDocument/completion', editor.about(shop, 'deploy/rules', 'deploy/'.length));
  check('completion', () => assert.deepEqual(offered.map((it) => it.label).sort(), ['deploy/freeze', 'deploy/rules']));
}

/// The prompt of a code lens opens as a document and follows the text.
async function prompts(editor, shop) {
  const [{ command }] = await editor.ask('textDocument/codeLens', { textDocument: { uri: shop.uri } });
  const text = await editor.ask('workspace/executeCommand', { command: command.command, arguments: command.arguments });
  const rendered = commandLine(shop.folder, ['render', 'deploy', '--placeholders']);
  check('the prompt', () => assert.equal(text, rendered));
  const { uri } = await editor.askedFor('window/showDocument');
  const content = await editor.ask('workspace/textDocumentContent', { uri });
  check('the prompt as a document', () => assert.deepEqual(content, { text: rendered }));
  // Visual Studio Code writes the same address so.
  const shorter = uri.replace('rye-render://', 'rye-render:').replace(/\?$/, '');
  const same = await editor.refused('workspace/textDocumentContent', { uri: shorter });
  check('the address in another form', () => assert.deepEqual(same, { result: { text: rendered } }));
  const { position } = editor.about(shop, 'Watch the error');
  await editor.change(shop, [{ range: { start: position, end: position }, text: 'Please: ' }]);
  const again = await editor.askedFor('workspace/textDocumentContent/refresh');
  check('it is out of date after an edit', () => assert.equal(again.uri, uri));
  const later = await editor.ask('workspace/textDocumentContent', { uri });
  check('it follows the edit', () => assert.match(later.text, /2\. Please: Watch the error rate/));
}

async function folders(editor, [first, second, third]) {
  for (const it of [first, second, third]) await editor.open(it);
  for (const it of [first, second]) {
    const found = await editor.diagnostics(it);
    check(`diagnostics of ${it.folder}`, () => assert.deepEqual(found, linted(it)));
  }
  const early = await editor.diagnostics(third);
  check('diagnostics outside of all folders', () => assert.deepEqual(early, linted(third)));
  // An agent starts in a folder of the editor; for a file outside of those, and of any repository, in the folder of the file.
  const agents = path.join(third.folder, 'below/AGENTS.md');
  fs.mkdirSync(path.dirname(agents));
  const file = { uri: pathToFileURL(agents).href, text: 'Be brief.\n' };
  fs.writeFileSync(agents, file.text);
  const isLoaded = async () => {
    await editor.open(file);
    const lenses = await editor.ask('textDocument/codeLens', { textDocument: { uri: file.uri } });
    await editor.tell('textDocument/didClose', { textDocument: { uri: file.uri } });
    return (lenses ?? []).some((it) => it.command.title.startsWith('codex: loaded, '));
  };
  const outside = await isLoaded();
  const folder = { uri: pathToFileURL(third.folder).href, name: 'third' };
  await editor.tell('workspace/didChangeWorkspaceFolders', { event: { added: [folder], removed: [] } });
  const inside = await isLoaded();
  check('where agents start, before and after a folder is added', () => assert.deepEqual([outside, inside], [true, false]));
  const items = await editor.ask('workspace/symbol', { query: 'rollback' });
  const wanted = [first, second, third].map((it) => path.join(it.folder, '.ai/directives/rollback.md'));
  check('items of all folders', () => assert.deepEqual(items.map((it) => fileURLToPath(it.location.uri)).sort(), wanted.sort()));
  const other = { uri: pathToFileURL(path.join(home, 'README.md')).href, text: '{input:x}\n' };
  await editor.open(other);
  const found = await editor.diagnostics(other);
  const nothing = await editor.ask('textDocument/hover', editor.about(other, 'input'));
  check('a file that is no prompt', () => assert.deepEqual([found, nothing], [[], null]));
}

/// An edit is shown also if a question follows at once.
async function hasty(editor, shop) {
  const uri = pathToFileURL(shop.file).href.replace('file', 'rye-render');
  await editor.ask('workspace/textDocumentContent', { uri: `${uri}?` });
  let shown = 0;
  for (let tries = 1; tries <= 10 && shown === tries - 1; tries++) {
    editor.asked = [];
    editor.change(shop, [{ text: `${shop.text}${tries}\n` }]);
    await editor.diagnostics(shop);
    const late = new Promise((resolve) => setTimeout(resolve, 2000, 0));
    shown += await Promise.race([editor.askedFor('workspace/textDocumentContent/refresh').then(() => 1), late]);
  }
  check('the prompt is out of date after each of ten edits', () => assert.equal(shown, 10));
}

/// Offsets count in the text as it is, with carriage returns.
async function newlines(editor, shop) {
  const text = `${shop.text}${'€'.repeat(60)}`.replaceAll('\n', '\r\n');
  await editor.change(shop, [{ text }]);
  const file = { ...shop, text };
  const labels = async (mark, after) => (await editor.ask('textDocument/completion', editor.about(file, mark, after))).map((it) => it.label);
  const offered = [await labels('deploy/rules', 'deploy/'.length), await labels('€', 40), await labels('€', 41), await labels('€', 42)];
  check('completion in a file with carriage returns', () => assert.deepEqual(offered, [['deploy/freeze', 'deploy/rules'], [], [], []]));
}

/// A question that is cancelled before its turn has no answer; the server may have been faster.
async function cancelled(editor, { uri }) {
  const params = { textDocument: { uri } };
  let code;
  for (let tries = 0; code !== protocol.LSPErrorCodes.RequestCancelled && tries < 50; tries++) {
    const source = new protocol.CancellationTokenSource();
    const first = editor.ask('textDocument/codeLens', params);
    const second = editor.connection.sendRequest('textDocument/codeLens', params, source.token);
    source.cancel();
    code = await second.then(() => 'answered', (error) => error.code);
    await first;
  }
  check('a question that is cancelled', () => assert.equal(code, protocol.LSPErrorCodes.RequestCancelled));
}

/// What no editor should send is refused, and the next question is answered.
async function misuse(editor, shop) {
  const { InvalidParams, MethodNotFound } = protocol.ErrorCodes;
  const { RequestFailed } = protocol.LSPErrorCodes;
  const content = 'workspace/textDocumentContent';
  const command = 'workspace/executeCommand';
  for (const [method, params, code] of [
    ['textDocument/nothing', {}, MethodNotFound],
    ['textDocument/hover', {}, InvalidParams],
    ['textDocument/hover', { ...editor.about(shop, 'Watch'), position: { line: -1, character: 'x' } }, InvalidParams],
    ['textDocument/codeAction', { textDocument: 1 }, InvalidParams],
    ['textDocument/rename', { ...editor.about(shop, 'deploy/rules', 3), newName: '../../x' }, RequestFailed],
    ['textDocument/rename', { ...editor.about(shop, 'Watch'), newName: 'x' }, RequestFailed],
    [content, { uri: 'file:///etc/passwd' }, RequestFailed],
    [content, { uri: 'rye-render:///etc/passwd?' }, RequestFailed],
    [content, {}, RequestFailed],
    [command, { command: 'rm' }, RequestFailed],
    [command, { command: 'rye-render.prompt', arguments: 'x' }, RequestFailed],
  ]) {
    const answer = await editor.refused(method, params);
    check(`${method} ${JSON.stringify(params)}`, () => assert.equal(answer.code, code, JSON.stringify(answer)));
  }
  // Nothing is open under these addresses.
  for (const uri of ['untitled:Untitled-1', 'git:/a/AGENTS.md?HEAD', 'not an address', '']) {
    const file = { uri, text: 'x' };
    await editor.open(file);
    await editor.change({ uri: `${uri}x` }, [{ text: 'y' }]);
    const answer = await editor.ask('textDocument/hover', editor.about(file, 'x'));
    check(`a file at ${uri}`, () => assert.equal(answer, null));
  }
  await editor.change(shop, [{ range: { start: { line: 9999, character: 9 }, end: { line: 0, character: 99 } }, text: '' }, { text: shop.text }]);
  const found = await editor.diagnostics(shop);
  check('the next question', () => assert.deepEqual(found, linted(shop)));
}

const projects = [project('first'), project('second: 100% wörter #2 & ?'), project('third')];
const editor = new Editor();
const early = await editor.refused('textDocument/hover', editor.about(projects[0], 'Watch'));
check('a question before the first', () => assert.equal(early.code, protocol.ErrorCodes.ServerNotInitialized));
const able = await editor.start(projects.slice(0, 2).map((it) => it.folder));
check('the scheme of prompts', () => assert.deepEqual(able.workspace.textDocumentContent.schemes, ['rye-render']));
await folders(editor, projects);
for (const it of projects) await questions(editor, it);
await prompts(editor, projects[1]);
await hasty(editor, projects[0]);
await cancelled(editor, projects[0]);
await misuse(editor, projects[0]);
await newlines(editor, projects[0]);
await editor.end();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
