// Asks `rye-render mcp` with the client of the npm package `@modelcontextprotocol/client`, in the newest revision of the
// protocol and in the older one with a handshake.
//
//     cp .ci/mcp/package*.json FOLDER && (cd FOLDER && npm ci)
//     node .ci/check_mcp.mjs target/debug/rye-render FOLDER
//
// Prints a last line `N passed, M failed`; exits with status 1 on a failure.
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const [program, packages] = process.argv.slice(2).map((it) => path.resolve(it));
const require = createRequire(path.join(packages, 'package.json'));
const { Client } = require('@modelcontextprotocol/client');
const { StdioClientTransport } = require('@modelcontextprotocol/client/stdio');
const shop = fileURLToPath(new URL('../testdata/documents/shop', import.meta.url));
let [passed, failed] = [0, 0];

function check(what, holds, shown) {
  holds ? passed++ : failed++;
  if (!holds) console.log('FAIL', what, JSON.stringify(shown)?.slice(0, 500));
}

async function ask(mode, isExpected) {
  const client = new Client({ name: 'check', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport({ command: program, args: ['mcp'], cwd: shop }));
  const version = client.getNegotiatedProtocolVersion();
  check(`${mode}: the revision`, isExpected(version), version);
  const { tools } = await client.listTools();
  check(`${mode}: all tools change nothing`, tools.length === 7 && tools.every((tool) => tool.annotations.readOnlyHint), tools);
  const call = (name, parameters) => client.callTool({ name, arguments: parameters });
  const whole = await call('lint', { format: 'json' });
  check(`${mode}: an answer in JSON`, JSON.parse(whole.content[0].text).findings.length > 0, whole);
  const rest = await call('lint', { format: 'json', start: 100 });
  check(`${mode}: the rest of an answer`, rest.content[0].text === whole.content[0].text.slice(100), rest);
  const wrong = await call('render', { directive: 'pong' });
  check(`${mode}: an error with what to do next`, wrong.isError && /ping/.test(wrong.content.at(-1).text), wrong);
  const unknown = await call('nothing', {}).then(() => null, (error) => error);
  check(`${mode}: an unknown tool`, unknown?.code === -32602, unknown);
  const { resourceTemplates } = await client.listResourceTemplates();
  check(`${mode}: addresses`, resourceTemplates.length === 2, resourceTemplates);
  const { resources } = await client.listResources();
  const page = await client.readResource({ uri: resources[0].uri });
  check(`${mode}: the page of a rule`, page.contents[0].text.startsWith(resources[0].name), page);
  // A cancelled question leaves the server ready for the next one.
  const cancelled = new AbortController();
  const given = client.callTool({ name: 'lint', arguments: {} }, { signal: cancelled.signal }).then(() => false, () => true);
  cancelled.abort();
  check(`${mode}: a cancelled question`, await given);
  check(`${mode}: the next question`, !(await call('agents', {})).isError);
  await client.close();
}

await ask('auto', (version) => version === '2026-07-28');
await ask('legacy', (version) => version < '2026');
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
