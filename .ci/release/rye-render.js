#!/usr/bin/env node
// Starts the program of this system, which npm installed as an optional dependency.
"use strict";
const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const system = `@rye-render/${process.platform}-${process.arch}`;
const name = process.platform === "win32" ? "rye-render.exe" : "rye-render";
let program;
try {
  program = require.resolve(`${system}/bin/${name}`);
} catch {
  console.error(`error: ${system} is not installed\n  help: install rye-render without --omit=optional, or see docs/install.md for other ways`);
  process.exit(2);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// The terminal interrupts both: the program decides when it ends. Other signals reach this process alone.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`error: ${program} cannot be started: ${error.message}`);
  process.exit(2);
});
child.on("exit", (status, signal) => process.exit(signal ? 128 + constants.signals[signal] : status));
