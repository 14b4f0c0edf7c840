#!/usr/bin/env node
// Runs the program of the platform's own package, as if it had been called itself.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

// What a gate says when it could not run.
const COULD_NOT_RUN = 2;

function fail(message) {
  process.stderr.write(`specward: error: ${message}\n`);
  process.exit(COULD_NOT_RUN);
}

function isMusl() {
  // Node tells the version of glibc it runs with, and says nothing with another C library.
  return process.platform === "linux" && !process.report?.getReport().header.glibcVersionRuntime;
}

function program() {
  const name = `@specward/${process.platform}-${process.arch}${isMusl() ? "-musl" : ""}`;
  if (!(name in require("./package.json").optionalDependencies)) {
    fail(`there is no package for ${process.platform} ${process.arch}; build it with: cargo install --locked specward`);
  }
  try {
    return require.resolve(`${name}/bin/specward${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    return fail(
      `the package ${name} is not installed. It is an optional dependency of specward: install without ` +
        "--omit=optional and --no-optional, and on this platform (a node_modules copied from another has another's).",
    );
  }
}

const path = program();
const child = spawn(path, process.argv.slice(2), { stdio: "inherit", windowsHide: false });

// A signal to this process alone is meant for the program. A terminal sends SIGINT to both, and passing it on would tell
// the program a second time.
const signals = process.platform === "win32" ? [] : ["SIGTERM", "SIGHUP", "SIGQUIT", "SIGINT"];
for (const signal of signals) {
  process.on(signal, () => {
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  });
}

child.on("error", (error) => fail(`${path} cannot be run: ${error.message}`));
child.on("exit", (code, signal) => {
  if (signal === null) {
    process.exitCode = code;
    return;
  }
  // Ends as the program ended, or with the code that a shell would give it.
  process.exitCode = 128 + (constants.signals[signal] ?? 0);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
