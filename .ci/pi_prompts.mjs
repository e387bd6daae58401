// Builds system prompts with the released npm package @mariozechner/pi-coding-agent.
//
//     node .ci/pi_prompts.mjs FOLDER REQUESTS > PROMPTS
//
// FOLDER contains the node_modules of .ci/pi. Each line of REQUESTS is an object with `cwd`, `agentDir`, `home`, `now`
// (RFC 3339), `tz`, `tools` (names, or null for the defaults) and `customTools` (those of an extension). Each line of
// PROMPTS is an object with `prompt` or `error`, in the same order. The package's public interface for sessions does all
// the work; only the clock is replaced. No model is called and nothing is sent.
import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = realpathSync(join(process.argv[2], "node_modules", "@mariozechner", "pi-coding-agent"));
process.env.PI_OFFLINE = "1";
const { main } = JSON.parse(readFileSync(join(root, "package.json"), "utf-8"));
const pi = await import(pathToFileURL(join(root, main)).href);

let now = 0;
globalThis.Date = class extends Date {
    constructor(...given) {
        super(...(given.length === 0 ? [now] : given));
    }
};

async function prompt(request) {
    const { cwd, agentDir } = request;
    now = Date.parse(request.now);
    process.env.TZ = request.tz;
    process.env.HOME = request.home;
    const settingsManager = pi.SettingsManager.inMemory();
    const resourceLoader = new pi.DefaultResourceLoader({ cwd, agentDir, settingsManager });
    await resourceLoader.reload();
    const nothing = { type: "object", properties: {} };
    const unused = { label: "", parameters: nothing, execute: async () => ({ content: [] }) };
    const { session } = await pi.createAgentSession({
        cwd,
        agentDir,
        settingsManager,
        resourceLoader,
        authStorage: pi.AuthStorage.inMemory(),
        sessionManager: pi.SessionManager.inMemory(cwd),
        customTools: request.customTools.map((tool) => ({ ...unused, ...tool })),
    });
    if (request.tools !== null) {
        session.setActiveToolsByName(request.tools);
    }
    const { systemPrompt } = session;
    session.dispose();
    return systemPrompt;
}

for (const line of readFileSync(process.argv[3], "utf-8").split("\n").filter(Boolean)) {
    let answer;
    try {
        answer = { prompt: await prompt(JSON.parse(line)) };
    } catch (error) {
        answer = { error: String(error?.stack ?? error) };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
}
