import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../support/free-port.js';
import { JWT_SECRET } from './tokens.mjs';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const BENCH = join(ROOT, 'test/bench');
const MAIN = 'dist/apps/api/src/main.js';
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 5;

/** A server that the bench measures. */
export class Server {
  constructor(name, child, url, startMs) {
    this.name = name;
    this.child = child;
    this.url = url;
    /** From the start of the process to its first ready answer. */
    this.startMs = startMs;
  }

  get pid() {
    return this.child.pid;
  }

  async stop() {
    if (hasEnded(this.child)) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await ended;
  }
}

/**
 * The built service. `folder`: the checkout that holds it. `main`: another program that starts it, in this checkout.
 * `group`: the `MemoryGroup` in which it runs.
 */
export function startService(name, environment, logFile, { folder = ROOT, main = MAIN, group } = {}) {
  // Production refuses a service without limits.
  const NODE_ENV = environment.RATE_LIMITS === 'off' ? 'development' : 'production';
  const settings = { NODE_ENV, SIGNUPS: 'open', ...environment };
  return start(name, [join(folder, main)], settings, '/readyz', logFile, group);
}

/** Settings of a service without limits of rate, whose tokens `tokens.mjs` signs. */
export function unlimitedEnvironment(databaseUrl) {
  return {
    DATABASE_URL: databaseUrl,
    JWT_SECRET,
    DECOY_SECRET: randomBytes(32).toString('base64'),
    SECOND_STEP_SECRET: randomBytes(32).toString('base64'),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  };
}

/** The built service without limits of rate, on secrets of its own. `iterations`: of the hash of a password. */
export function startUnlimitedService(databaseUrl, iterations, logFile) {
  const environment = {
    DATABASE_URL: databaseUrl,
    JWT_SECRET: randomBytes(32).toString('hex'),
    DECOY_SECRET: randomBytes(32).toString('hex'),
    SECOND_STEP_SECRET: randomBytes(32).toString('hex'),
    PASSWORD_HASH_ITERATIONS: iterations,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  };
  return startService('service', environment, logFile);
}

/** @param form `pooled`, `pipelined` or `nest`. */
export function startLimit(form, environment, logFile) {
  install('limit');
  const server = join(BENCH, 'limit/server.mjs');
  return start(form, [server], { ...environment, LIMIT_FORM: form }, '/readyz', logFile);
}

export function startPeer(environment, logFile) {
  install('peer');
  return start('peer', [join(BENCH, 'peer/server.mjs')], environment, '/parse/health', logFile);
}

/** The limit's and the peer's own dependencies, which are none of the project's. */
function install(package_) {
  const folder = join(BENCH, package_);
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) return;
  process.stdout.write(`Installing the dependencies of the ${package_}.\n`);
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
  });
}

async function start(name, args, environment, readyPath, logFile, group) {
  const port = await freePort();
  const log = openSync(logFile, 'a');
  const begin = performance.now();
  const command = [process.execPath, ...args];
  const [program, ...rest] = group ? group.wrap(command) : command;
  const child = spawn(program, rest, {
    // Two arenas, as in the image: see the Dockerfile.
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      MALLOC_ARENA_MAX: '2',
      ...environment,
      PORT: String(port),
    },
    // What a server leaves lying about goes with its log.
    cwd: dirname(logFile),
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url + readyPath))) {
    if (hasEnded(child) || performance.now() - begin > START_TIMEOUT_MS) {
      child.kill('SIGKILL');
      throw new Error(`The ${name} did not start:\n${readFileSync(logFile, 'utf8').slice(-2000)}`);
    }
    await sleep(POLL_MS);
  }
  return new Server(name, child, url, performance.now() - begin);
}

/** By itself or by a signal. */
function hasEnded({ exitCode, signalCode }) {
  return exitCode !== null || signalCode !== null;
}

async function isReady(url) {
  try {
    return (await fetch(url)).status === 200;
  } catch {
    return false;
  }
}

/** Megabytes of memory that a process holds now, and at most held. */
export function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (field) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)[1]) / 1024;
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') };
}
