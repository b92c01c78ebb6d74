import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ServiceConfig, type Setting, SETTINGS } from '@app/config';
import { parse, parseAllDocuments } from 'yaml';

const ROOT = join(__dirname, '../..');
const MANIFESTS = join(ROOT, 'deploy/kubernetes/manifests');
/** Read by Node.js and by the C library. */
const OF_RUNTIME = ['NODE_EXTRA_CA_CERTS', 'MALLOC_ARENA_MAX'];

type Environment = Record<string, string>;

/** What one deployment gives to the service. */
interface Deployed {
  environment: Environment;
  /** Folder where the secrets are mounted. */
  secrets: string;
}

function read(...path: string[]): string {
  return readFileSync(join(ROOT, ...path), 'utf8');
}

/** What the image sets. */
function imageEnvironment(): Environment {
  const lines = [...read('Dockerfile').matchAll(/^ENV (.*)$/gm)].map(([, pairs]) => pairs);
  return Object.fromEntries(
    lines
      .join(' ')
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]),
  );
}

const VALUES = readdirSync(MANIFESTS).map((file) => basename(file, '.yaml'));

function objectsOf(values: string): any[] {
  return parseAllDocuments(read('deploy/kubernetes/manifests', `${values}.yaml`)).map((document) =>
    document.toJS(),
  );
}

const objectOf = (values: string, kind: string) => objectsOf(values).find((object) => object.kind === kind);
const podOf = (values: string) => objectOf(values, 'Deployment').spec.template.spec;

function kubernetes(values: string): Deployed {
  const [api] = podOf(values).containers;
  return {
    environment: Object.fromEntries(api.env.map(({ name, value }: any) => [name, value])),
    secrets: api.volumeMounts.find(({ name }: any) => name === 'secrets').mountPath,
  };
}

/** As Compose reads it with no variable but its defaults, and a name. */
function readCompose() {
  const filled = read('deploy/compose.yaml')
    .replace(/\$\{\w+:-([^}]*)\}/g, '$1')
    .replace(/\$\{\w+:\+[^}]*\}/g, '')
    .replace(/\$\{SITE_ADDRESS:\?[^}]*\}/g, 'records.example.org');
  return parse(filled, { merge: true });
}

function compose(service: 'api' | 'backup' | 'ops'): Deployed {
  const { [service]: found } = readCompose().services;
  // Compose leaves out what has no value.
  const environment = Object.fromEntries(
    Object.entries<string | null>(found.environment).filter(([, value]) => value !== null),
  ) as Environment;
  // Of deploy/backup.sh.
  for (const name of ['FOLDER', 'KEEP_DAYS', 'HOUR']) delete environment[name];
  return { environment, secrets: '/run/secrets' };
}

describe.each<[string, Deployed, string]>([
  ...VALUES.map((name): [string, Deployed, string] => [
    `Kubernetes, ${name}`,
    kubernetes(name),
    'postgres://a:b@postgres.example:5432/health?sslmode=verify-full',
  ]),
  ['Compose, the service', compose('api'), 'postgres://a:b@database:5432/postgres'],
  ['Compose, the backup', compose('backup'), 'postgres://a:b@database:5432/postgres'],
  ['Compose, a command', compose('ops'), 'postgres://a:b@database:5432/postgres'],
])('%s', (_name, { environment, secrets }, databaseUrl) => {
  let scratch: string;
  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), 'deploy-'));
    for (const name of ['database-url', 'database-replica-url'])
      writeFileSync(join(scratch, name), databaseUrl);
    for (const name of ['jwt-secret', 'decoy-secret', 'second-step-secret', 'vapid-private-key'])
      writeFileSync(join(scratch, name), randomBytes(32).toString('hex'));
  });
  afterAll(() => rmSync(scratch, { recursive: true }));

  it('sets nothing that libs/config does not read', () => {
    const known = Object.entries<Setting<unknown>>(SETTINGS).flatMap(([name, { secret }]) =>
      secret ? [name, `${name}_FILE`] : [name],
    );
    const set = Object.keys({ ...imageEnvironment(), ...environment });
    expect(set.filter((name) => ![...known, ...OF_RUNTIME].includes(name))).toEqual([]);
  });

  it('looks for its secrets where they are mounted', () => {
    const paths = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'));
    expect(paths.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'DATABASE_URL_FILE',
        'JWT_SECRET_FILE',
        'DECOY_SECRET_FILE',
        'SECOND_STEP_SECRET_FILE',
      ]),
    );
    for (const [name, path] of paths) {
      const file = name
        .replace(/_FILE$/, '')
        .toLowerCase()
        .replaceAll('_', '-');
      expect(path).toBe(`${secrets}/${file}`);
    }
  });

  it('lets the service start in production', () => {
    const here = Object.entries(environment).map(([name, value]) =>
      name.endsWith('_FILE') ? [name, join(scratch, basename(value))] : [name, value],
    );
    const config = new ServiceConfig({ ...imageEnvironment(), ...Object.fromEntries(here) });
    expect(config.nodeEnv).toBe('production');
    expect(config.host).toBe('0.0.0.0');
  });
});

describe.each(VALUES)('Kubernetes, %s', (values) => {
  it('names no namespace', () => {
    expect(objectsOf(values).filter(({ metadata }) => metadata.namespace !== undefined)).toEqual([]);
  });

  it('runs as no fixed user, and never as root', () => {
    expect(read('Dockerfile')).toMatch(/^USER [1-9]\d*$/m);
    const { securityContext, containers, volumes } = podOf(values);
    expect(securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    // Readable by any user.
    expect(volumes.find(({ name }: any) => name === 'secrets').secret.defaultMode).toBe(0o444);
  });

  it('spreads the pods over zones and nodes', () => {
    expect(podOf(values).topologySpreadConstraints.map(({ topologyKey }: any) => topologyKey)).toEqual([
      'topology.kubernetes.io/zone',
      'kubernetes.io/hostname',
    ]);
  });

  it('lets only the ingress controller reach the API, and the pods only what they need', () => {
    const { podSelector, policyTypes, ingress, egress } = objectOf(values, 'NetworkPolicy').spec;
    expect(podSelector).toEqual(objectOf(values, 'Deployment').spec.selector);
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    const ports = (list: any[]) => list.map((rule) => rule.ports.map(({ port }: any) => port));
    expect(ingress.every(({ from }: any) => from.length === 1 && from[0].namespaceSelector)).toBe(true);
    expect(ports(ingress)).toEqual([['http'], ['metrics']]);
    const dns = values === 'openshift' ? 5353 : 53;
    expect(ports(egress)).toEqual([[dns, dns], [5432], [443], ...(values === 'production' ? [[4318]] : [])]);
  });

  it('asks the ports on which the service listens', () => {
    const [api] = podOf(values).containers;
    const ports = Object.fromEntries(
      api.ports.map(({ name, containerPort }: any) => [name, String(containerPort)]),
    );
    const { METRICS_PORT } = kubernetes(values).environment;
    expect(ports).toEqual({ http: imageEnvironment().PORT, metrics: METRICS_PORT });
    for (const { spec } of objectsOf(values).filter(({ kind }) => kind === 'Service'))
      expect(Object.keys(ports)).toContain(spec.ports[0].targetPort);
  });

  it('has the objects of its case', () => {
    const jobs = ['Job', 'ConfigMap', 'CronJob', 'CronJob', 'CronJob', 'NetworkPolicy'];
    const expected = [
      ...['Deployment', 'Service', 'PodDisruptionBudget', 'NetworkPolicy'],
      ...(values === 'production' ? jobs : []),
      'Ingress',
      ...(values === 'small' ? [] : ['HorizontalPodAutoscaler', 'Service', 'ServiceMonitor']),
    ];
    expect(objectsOf(values).map(({ kind }) => kind)).toEqual(expected);
    expect(objectOf(values, 'Deployment').spec.replicas).toBe(values === 'small' ? 1 : undefined);
  });
});

it('the image limits the arenas of the C library, so that freed memory is used again', () => {
  expect(imageEnvironment().MALLOC_ARENA_MAX).toBe('2');
});

describe('Compose', () => {
  const { services, secrets, volumes, networks } = readCompose();

  it('opens only the proxy to the network, and the database to nobody but the service', () => {
    const open = Object.keys(services).filter((name) => services[name].ports);
    expect(open).toEqual(['proxy']);
    expect(services.proxy.networks).toEqual(['front']);
    expect(services.database.networks).toEqual(['back']);
    expect(networks.back.internal).toBe(true);
  });

  it('defines every secret, volume and network that a service names', () => {
    for (const { secrets: needed = [], networks: joined, volumes: mounted = [] } of Object.values<any>(
      services,
    )) {
      for (const name of needed) expect(secrets).toHaveProperty(name);
      for (const name of joined) expect(networks).toHaveProperty(name);
      const named = mounted
        .map((mount: string) => mount.split(':')[0])
        .filter((name: string) => !name.startsWith('.'));
      for (const name of named) expect(volumes).toHaveProperty(name);
    }
  });

  it('takes no right that is not needed', () => {
    for (const name of ['api', 'proxy', 'backup', 'ops', 'restic', 'rclone'])
      expect([name, services[name]]).toEqual([
        name,
        expect.objectContaining({
          read_only: true,
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
        }),
      ]);
  });

  it('pins every image of others by its digest, the base of our own too', () => {
    const others = Object.values<any>(services).filter(({ build }) => !build);
    expect(others).toHaveLength(4);
    for (const { image } of others) expect(image).toMatch(/:[\d.]+(-alpine)?@sha256:[0-9a-f]{64}$/);
    for (const [, image] of read('Dockerfile').matchAll(/^FROM (\S+)/gm))
      expect(image).toMatch(/@sha256:[0-9a-f]{64}$/);
  });

  it('limits the memory and the log of every container', () => {
    for (const [name, { mem_limit, logging }] of Object.entries<any>(services))
      expect([name, mem_limit, logging?.options]).toEqual([
        name,
        expect.stringMatching(/^\d+m$/),
        { 'max-size': '10m', 'max-file': '3' },
      ]);
  });

  it('watches the disk of the database, on a volume without its files', () => {
    const { environment, volumes: mounted } = services.api;
    expect(mounted).toEqual([`disk:${environment.STORAGE_PATH}:ro`]);
    expect(JSON.stringify(services.database.volumes)).not.toContain('disk');
  });

  it('sends the proxy to the port of the service', () => {
    expect(read('deploy/Caddyfile')).toContain(`reverse_proxy api:${imageEnvironment().PORT} `);
  });
});
