import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDataDir } from '@app/testing';
import { type BuiltService, startBuiltService } from '../support/built-service';
import { anAccount, aProfile } from '../support/factories';
import { until } from '../support/until';

/** The embedded default: no DATABASE_URL, generated secrets. */
function embedded(dataDir: string): Record<string, string> {
  return { DATA_DIR: dataDir, JWT_SECRET: '', DECOY_SECRET: '', SECOND_STEP_SECRET: '' };
}

describe('the built service on its embedded PostgreSQL', () => {
  let dataDir: string;
  const running: BuiltService[] = [];
  const start = async () => {
    const service = await startBuiltService(embedded(dataDir));
    running.push(service);
    return service;
  };
  beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'hrs-built-'))));
  afterEach(async () => {
    for (const service of running.splice(0)) await service.end();
    removeDataDir(dataDir);
  });

  it('keeps accounts and tokens over a restart, and adopts the database that a killed service left running', async () => {
    const first = await start();
    const account = await anAccount(first.api);
    const profile = await aProfile(first.api, account.token);
    const isKept = async ({ api }: BuiltService) =>
      expect((await api.get(`/api/profiles/${profile}`, { token: account.token })).status).toBe(200);
    expect(await first.end()).toBe(0);
    const second = await start();
    await isKept(second);
    await second.end('SIGKILL');
    const third = await start();
    await isKept(third);
    expect(await third.end()).toBe(0);
  });

  it('names every bad setting and does not start', async () => {
    const attempt = startBuiltService({
      ...embedded(dataDir),
      PORT: '1',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://x',
    });
    await expect(attempt).rejects.toThrow(/LOG_LEVEL must be one of.*|DATABASE_URL must be/);
  });
});

describe('a built service that runs on its embedded PostgreSQL', () => {
  let dataDir: string;
  let service: BuiltService;
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'hrs-built-'));
    service = await startBuiltService(embedded(dataDir));
  });
  afterAll(async () => {
    await service?.end();
    removeDataDir(dataDir);
  });

  it('has printed one line that names the address of the documentation, which is there', async () => {
    await until('the line is written', async () => service.output().includes('is ready'));
    const { msg } = JSON.parse(service.output().trim().split('\n')[0]) as { msg: string };
    const [, url, documentation] = /^Health Records Service is ready at (\S+) - documentation: (\S+)$/.exec(
      msg,
    )!;
    expect([url, documentation]).toEqual([service.api.url, `${service.api.url}/api/docs`]);
    expect((await fetch(documentation)).status).toBe(200);
  });

  it('keeps its data directory from another service, which says so in one sentence', async () => {
    await expect(startBuiltService(embedded(dataDir))).rejects.toThrow(
      /Another service is using the data directory/,
    );
  });

  it('keeps the secrets where only its user can read them', () => {
    for (const name of ['jwt', 'decoy', 'second-step', 'postgres']) {
      expect(statSync(join(dataDir, 'secrets', name)).mode & 0o077).toBe(0);
    }
  });

  it.each<NodeJS.Signals>(['SIGKILL', 'SIGTERM', 'SIGINT'])(
    'comes back when PostgreSQL gets %s under it',
    async (signal) => {
      const account = await anAccount(service.api);
      const postmaster = postmasterOf(dataDir);
      process.kill(postmaster, signal);
      const seen = new Set<number>();
      await until('another PostgreSQL answers', async () => {
        const { status } = await service.api.get('/api/users/me', { token: account.token });
        seen.add(status);
        // A backend can answer for a moment after its PostgreSQL has died.
        return status === 200 && !isRunning(postmaster) && postmasterOf(dataDir) !== postmaster;
      });
      const { email, password } = account;
      expect((await service.api.post('/api/auth/login', { email, password })).status).toBe(200);
      expect([...seen].filter((each) => each !== 200 && each !== 503)).toEqual([]);
    },
  );
});

/** The process id of the PostgreSQL that owns the data directory, or 0 if there is none. */
function postmasterOf(dataDir: string): number {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
