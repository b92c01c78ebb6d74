import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Api } from '@app/testing';
import { settingsOfServer } from './databases';
import { freePort } from './free-port';
import { TEST_ENVIRONMENT } from './service';

const MAIN = join(__dirname, '../../dist/apps/api/src/main.js');
const START_TIMEOUT_MS = 90_000;

/** The service as it is built, in a process of its own. */
export interface BuiltService {
  api: Api;
  process: ChildProcess;
  /** All that it has written so far, to both outputs. */
  output(): string;
  /** Sends the signal and waits for the end. @returns the exit code, or `null` where the signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** What runs: by default the service's own main file, on the Node of the tests. */
interface Program {
  main?: string;
  /** Path of a Node. */
  node?: string;
}

/** Starts the built service and waits until it is ready. @throws Error with its output if it ends instead. */
export async function startBuiltService(
  environment: Record<string, string>,
  program?: Program,
): Promise<BuiltService> {
  const service = await spawnBuiltService(environment, program);
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isReady(service.api))) {
    if (service.process.exitCode !== null || Date.now() > deadline) {
      service.process.kill('SIGKILL');
      throw new Error(`The service did not start: ${service.output()}`);
    }
    await sleep(20);
  }
  return service;
}

/** Starts the process of the built service, and does not wait for it. */
export async function spawnBuiltService(
  environment: Record<string, string>,
  { main = MAIN, node = process.execPath }: Program = {},
): Promise<BuiltService> {
  const port = await freePort();
  const child = spawn(node, [main], {
    env: {
      PATH: process.env.PATH,
      ...TEST_ENVIRONMENT,
      ...environment,
      ...(await settingsOfServer(environment.DATABASE_URL)),
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    api: new Api(`http://127.0.0.1:${port}`),
    process: child,
    output: () => output,
    end: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

async function isReady(api: Api): Promise<boolean> {
  try {
    return (await api.get('/readyz')).status === 200;
  } catch {
    return false;
  }
}
