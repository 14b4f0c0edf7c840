#!/usr/bin/env node
// Makes the folders of the npm packages: node packaging/npm/build.mjs --bins FOLDER --out FOLDER [--partial]
//
// --bins holds a folder for each target with the program in it: x86_64-unknown-linux-gnu/specward,
// x86_64-pc-windows-msvc/specward.exe. --out gets a folder for each platform and `specward`, which names them all; publish
// it last. The version is that of Cargo.toml. A missing program is an error, unless --partial says that some are enough;
// then too `specward` names all.

import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));
const top = join(here, "..", "..");

function fail(message) {
  process.stderr.write(`build.mjs: error: ${message}\n`);
  process.exit(2);
}

function options() {
  try {
    const options = { bins: { type: "string" }, out: { type: "string" }, partial: { type: "boolean", default: false } };
    const { values } = parseArgs({ options });
    if (values.bins && values.out) return values;
    return fail("--bins and --out are needed");
  } catch (error) {
    return fail(error.message);
  }
}

// What all packages have in common, from the one place that says it.
function metadata() {
  const section = readFileSync(join(top, "Cargo.toml"), "utf8").split(/^\[/m)[1] ?? "";
  const value = (key) => section.match(new RegExp(`^${key} = "(.*)"$`, "m"))?.[1] ?? fail(`Cargo.toml has no ${key}`);
  const repository = value("repository");
  return {
    version: value("version"),
    description: value("description"),
    license: `(${value("license")})`,
    homepage: repository,
    repository: { type: "git", url: `git+${repository}.git` },
    bugs: { url: `${repository}/issues` },
  };
}

const licences = ["LICENSE-MIT", "LICENSE-APACHE"];

// npm packs of its own accord only a file named LICENSE, so these have to be named.
function write(folder, { files, ...manifest }) {
  const all = { ...manifest, files: [...files, ...licences] };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(all, null, 2)}\n`);
  for (const file of licences) copyFileSync(join(top, file), join(folder, file));
}

function empty(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

const { bins, out, partial } = options();
const common = metadata();
const platforms = JSON.parse(readFileSync(join(here, "platforms.json"), "utf8"));

let made = 0;
for (const { name, target, os, cpu, libc } of platforms) {
  const program = os === "win32" ? "specward.exe" : "specward";
  const from = join(bins, target, program);
  if (!existsSync(from)) {
    if (partial) continue;
    fail(`no such file: ${from}`);
  }
  const folder = empty(join(out, name));
  mkdirSync(join(folder, "bin"));
  copyFileSync(from, join(folder, "bin", program));
  chmodSync(join(folder, "bin", program), 0o755);
  write(folder, {
    name: `@specward/${name}`,
    ...common,
    description: `The specward program for ${name}; install the package specward`,
    os: [os],
    cpu: [cpu],
    ...(libc && { libc: [libc] }),
    files: ["bin"],
    preferUnplugged: true,
    publishConfig: { access: "public" },
  });
  writeFileSync(
    join(folder, "README.md"),
    `The \`specward\` program for ${name}. Install the package [\`specward\`](${common.homepage}), which needs this one.\n`,
  );
  made += 1;
}
if (made === 0) fail(`no program in ${bins}`);

const main = empty(join(out, "specward"));
copyFileSync(join(here, "specward.cjs"), join(main, "specward.cjs"));
copyFileSync(join(top, "packaging", "README.md"), join(main, "README.md"));
write(main, {
  name: "specward",
  ...common,
  keywords: ["openspec", "spec", "gate", "agent", "verify"],
  bin: { specward: "specward.cjs" },
  files: ["specward.cjs"],
  engines: { node: ">=18" },
  optionalDependencies: Object.fromEntries(platforms.map(({ name }) => [`@specward/${name}`, common.version])),
  publishConfig: { access: "public" },
});
