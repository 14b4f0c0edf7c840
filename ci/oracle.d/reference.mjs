// The reference, driven inside this process.
//
// A start of the real command costs more than most of its answers, so the same commander program that the
// command runs is parsed again and again here, with output and exit intercepted. `runCommand` starts the real
// one, to prove now and then that both say the same.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';

export const REFERENCE = '@fission-ai/openspec';

/** Thrown in place of leaving the process: the reference calls `process.exit` after some failures. */
class Exit extends Error {
  constructor(code) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/**
 * Settings under which both programs run: no telemetry, no prompts, one collation for every machine, and homes
 * in which nobody has stored schemas or registered roots.
 */
export function isolatedEnv(home) {
  return {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, 'config'),
    XDG_DATA_HOME: path.join(home, 'data'),
    OPENSPEC_TELEMETRY: '0',
    CI: '1',
    NO_COLOR: '1',
    LC_ALL: 'en_US.UTF-8',
    TZ: 'UTC',
  };
}

/**
 * The reference parses the whole built-in schema anew for every change it looks at, which is half of its time.
 * A long YAML text is therefore parsed once and copied from then on; the short ones, where the odd inputs are,
 * go through the parser every time.
 */
function rememberLongYaml(packageDir) {
  const yaml = createRequire(path.join(packageDir, 'package.json'))('yaml');
  const { parse } = yaml;
  const known = new Map();
  yaml.parse = (text, ...options) => {
    if (options.length > 0 || typeof text !== 'string' || text.length < 2000) return parse(text, ...options);
    if (!known.has(text)) known.set(text, parse(text));
    return structuredClone(known.get(text));
  };
}

/** Loads the reference from its package folder; `run` must not be called again before it resolved. */
export async function loadReference(packageDir) {
  rememberLongYaml(packageDir);
  const { program } = await import(pathToFileURL(path.join(packageDir, 'dist', 'cli', 'index.js')));

  async function run(args, cwd) {
    const lines = [];
    const saved = { log: console.log, error: console.error, warn: console.warn, debug: console.debug, exit: process.exit };
    console.log = (...parts) => lines.push(format(...parts));
    console.error = console.warn = console.debug = () => {};
    process.exit = (code) => {
      throw new Exit(code ?? process.exitCode ?? 0);
    };
    process.exitCode = undefined;
    process.chdir(cwd);
    let exit;
    try {
      await program.parseAsync(args, { from: 'user' });
    } catch (error) {
      if (!(error instanceof Exit)) throw error;
      exit = error.code;
    } finally {
      exit ??= process.exitCode ?? 0;
      process.exitCode = undefined;
      Object.assign(console, { log: saved.log, error: saved.error, warn: saved.warn, debug: saved.debug });
      process.exit = saved.exit;
    }
    return { exit, stdout: lines.join('\n') };
  }

  return { run };
}

/** Starts one program and collects what it prints; that it cannot be started is an answer like any other. */
export function runCommand(program, args, cwd, env, timeoutMs = 60_000) {
  return new Promise((resolve) => {
    const failed = (error) => resolve({ exit: error.code, stdout: '', stderr: String(error) });
    const out = [];
    const err = [];
    try {
      const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs });
      child.stdout.on('data', (chunk) => out.push(chunk));
      child.stderr.on('data', (chunk) => err.push(chunk));
      child.on('error', failed);
      child.on('close', (code, signal) =>
        resolve({ exit: code ?? signal, stdout: Buffer.concat(out).toString('utf8'), stderr: Buffer.concat(err).toString('utf8') }),
      );
    } catch (error) {
      failed(error);
    }
  });
}
