import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { output } from '../support/compose-host';
import { shellCheckProgram, systemdProgram } from '../support/shell-programs';

const SYSTEMD = join(__dirname, '../../deploy/systemd');
const UNITS = readdirSync(SYSTEMD).filter((name) => name.endsWith('.service'));
const systemd = systemdProgram();

(systemd ? it : it.skip).each(UNITS)('the unit is closed: %s', async (unit) => {
  const { executablePath } = systemd!;
  const judged = await output(
    executablePath,
    'security',
    '--offline=true',
    '--no-pager',
    join(SYSTEMD, unit),
  );
  expect(Number(/Overall exposure level for \S+: ([\d.]+)/.exec(judged)![1])).toBeLessThanOrEqual(2);
  const open = join(mkdtempSync(join(tmpdir(), 'hrs-unit-')), 'open.service');
  writeFileSync(open, '[Service]\nExecStart=/bin/true\n');
  expect(await output(executablePath, 'security', '--offline=true', '--no-pager', open)).toContain('UNSAFE');
});

(shellCheckProgram() ? it : it.skip)('the script passes ShellCheck', async () => {
  expect(await output(shellCheckProgram()!.executablePath, '--shell=sh', join(SYSTEMD, 'install'))).toBe('');
});

/** The script with programs that stand in for npm, systemd and the users of the machine; node runs for real. */
describe('deploy/systemd/install', () => {
  let root: string;
  let bin: string;
  const STAND_INS: Record<string, string> = {
    // Two seconds of a real service would be the only difference.
    node: 'case "$2" in *readyz*) [ ! -e "$ROOT/broken" ]; exit ;; *) exit 0 ;; esac',
    npm: 'for release; do :; done; mkdir -p "$3/node_modules/.bin"; echo "$release" > "$3/release"; [ "$release" != nothing ]',
    runuser: `while [ "$1" != ops ]; do shift; done; echo "$*" >> "$ROOT/calls"; [ ! -e "$ROOT/full" ] && mkdir -p "$3"`,
    systemctl: 'echo "systemctl $*" >> "$ROOT/calls"',
    useradd: 'echo useradd >> "$ROOT/calls"',
    id: 'exit 1',
    chown: ':',
    sleep: ':',
  };
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'hrs-machine-'));
    bin = join(root, 'bin');
    mkdirSync(bin);
    for (const [name, program] of Object.entries(STAND_INS)) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${program}\n`);
      chmodSync(join(bin, name), 0o755);
    }
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const install = (...args: string[]) =>
    new Promise<{ code: number | null; out: string; errors: string }>((resolve) => {
      const PATH = `${bin}:${process.env.PATH}`;
      const child = spawn('sh', [join(SYSTEMD, 'install'), ...args], {
        env: { PATH, ROOT: root, INSTALL_ROOT: root },
      });
      const run = { out: '', errors: '' };
      child.stdout.on('data', (text: Buffer) => (run.out += text.toString()));
      child.stderr.on('data', (text: Buffer) => (run.errors += text.toString()));
      child.on('close', (code) => resolve({ code, ...run }));
    });
  const opt = () => join(root, 'opt/health-records-service');
  const current = () => readFileSync(join(readlinkSync(join(opt(), 'current')), 'release'), 'utf8').trim();
  const calls = () => readFileSync(join(root, 'calls'), 'utf8');
  const backups = () => readdirSync(join(root, 'var/lib/health-records-service/backups'));
  /** The names of releases and backups are seconds. */
  const nextSecond = () => new Promise((resolve) => setTimeout(resolve, 1_000));

  it('installs, and later saves the data before it moves to another release', async () => {
    expect(await install('1.2.3')).toMatchObject({ code: 0, errors: '' });
    expect(current()).toBe('health-records-service@1.2.3');
    expect(calls()).toContain('useradd');
    expect(calls()).not.toContain('backup /');
    await nextSecond();
    const settings = join(root, 'etc/health-records-service/env');
    writeFileSync(settings, 'SIGNUPS=closed\n');
    const second = await install('1.3.0');
    expect([second.code, second.out]).toEqual([0, expect.stringContaining('The backup of before is')]);
    expect([current(), backups()]).toEqual(['health-records-service@1.3.0', [expect.stringMatching(/Z$/)]]);
    expect(readFileSync(settings, 'utf8')).toBe('SIGNUPS=closed\n');
    const lines = calls().split('\n');
    expect(lines.findIndex((line) => line.includes('ops backup'))).toBeLessThan(
      lines.lastIndexOf('systemctl restart health-records-service'),
    );
  });

  it('changes nothing without the release, or without a backup', async () => {
    await install('1.2.3');
    await nextSecond();
    writeFileSync(join(bin, 'npm'), '#!/bin/sh\nexit 1\n');
    expect(await install('9.9.9')).toMatchObject({ code: 1, errors: 'Nothing was changed.\n' });
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${STAND_INS.npm}\n`);
    writeFileSync(join(root, 'full'), '');
    const full = await install('1.3.0');
    expect([full.code, full.errors]).toEqual([
      1,
      expect.stringContaining('no backup, and nothing was changed'),
    ]);
    expect(current()).toBe('health-records-service@1.2.3');
    expect(readdirSync(opt())).toHaveLength(2);
  });

  it('goes back to the former release where the new one is not ready', async () => {
    await install('1.2.3');
    await nextSecond();
    writeFileSync(join(root, 'broken'), '');
    const { code, errors } = await install('1.3.0');
    expect([code, errors]).toEqual([1, expect.stringContaining('The former release was started again.')]);
    expect(current()).toBe('health-records-service@1.2.3');
  });

  it('explains itself, and refuses other words', async () => {
    expect((await install('--help')).out).toContain('deploy/systemd/install [release]');
    expect((await install('--now')).code).toBe(2);
  });
});
