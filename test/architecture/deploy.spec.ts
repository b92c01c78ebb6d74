import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ServiceConfig, type Setting, SETTINGS } from '@app/config';
import { parse } from 'yaml';

const ROOT = join(__dirname, '../..');
const KUBERNETES = join(ROOT, 'deploy/kubernetes');

type Environment = Record<string, string>;

/** Where the secrets of a deployment are mounted, and the files there. */
interface Secrets {
  folder: string;
  files: string[];
}

function readYaml(...path: string[]): any {
  return parse(readFileSync(join(ROOT, ...path), 'utf8'));
}

/** What the image sets. */
function imageEnvironment(): Environment {
  const line = /^ENV (.*)$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))![1];
  return Object.fromEntries(line.split(' ').map((pair) => pair.split('=') as [string, string]));
}

function kubernetes(): { environment: Environment; secrets: Secrets } {
  const { containers } = readYaml('deploy/kubernetes/deployment.yaml').spec.template.spec;
  const [api] = containers;
  return {
    environment: Object.fromEntries(api.env.map(({ name, value }: any) => [name, value])),
    secrets: {
      folder: api.volumeMounts.find(({ name }: any) => name === 'secrets').mountPath,
      files: Object.keys(readYaml('deploy/kubernetes/secret.example.yaml').stringData),
    },
  };
}

function exampleOfDatabaseUrl(): string {
  return readYaml('deploy/kubernetes/secret.example.yaml').stringData['database-url'];
}

function compose(): { environment: Environment; secrets: Secrets } {
  const { api } = readYaml('deploy/compose.yaml').services;
  return { environment: api.environment, secrets: { folder: '/run/secrets', files: api.secrets } };
}

describe.each([
  ['deploy/kubernetes', kubernetes(), exampleOfDatabaseUrl()],
  ['deploy/compose.yaml', compose(), 'postgres://a:b@database:5432/postgres'],
])('%s', (_name, { environment, secrets }, databaseUrl) => {
  let scratch: string;
  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), 'deploy-'));
    writeFileSync(join(scratch, 'database-url'), databaseUrl);
    for (const name of ['jwt-secret', 'decoy-secret'])
      writeFileSync(join(scratch, name), randomBytes(32).toString('hex'));
  });
  afterAll(() => rmSync(scratch, { recursive: true }));

  it('sets nothing that libs/config does not read', () => {
    const known = Object.entries<Setting<unknown>>(SETTINGS).flatMap(([name, { secret }]) =>
      secret ? [name, `${name}_FILE`] : [name],
    );
    const set = Object.keys({ ...imageEnvironment(), ...environment });
    expect(set.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('mounts every secret where its setting looks for it', () => {
    const paths = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'));
    expect(paths.map(([, path]) => path).sort()).toEqual(
      secrets.files.map((file) => `${secrets.folder}/${file}`).sort(),
    );
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

describe('deploy/kubernetes', () => {
  it('applies every file but the example of the secret', () => {
    const { resources } = readYaml('deploy/kubernetes/kustomization.yaml');
    const files = readdirSync(KUBERNETES).filter(
      (file) => !['kustomization.yaml', 'secret.example.yaml'].includes(file),
    );
    expect([...resources].sort()).toEqual(files.sort());
  });

  it('names no namespace', () => {
    for (const file of readdirSync(KUBERNETES))
      expect(readYaml('deploy/kubernetes', file).metadata?.namespace).toBeUndefined();
  });

  it('lets only the ingress controller reach the API, and the pods only name servers and PostgreSQL', () => {
    const { podSelector, policyTypes, ingress, egress } = readYaml(
      'deploy/kubernetes/network-policy.yaml',
    ).spec;
    const { selector } = readYaml('deploy/kubernetes/deployment.yaml').spec;
    expect(podSelector).toEqual(selector);
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    const namespaces = (peers: any[] = []) =>
      peers.map(({ namespaceSelector }) => Object.values(namespaceSelector.matchLabels).join());
    const rules = (list: any[], side: 'from' | 'to') =>
      list.map((rule) => [namespaces(rule[side]), rule.ports.map(({ port }: any) => port)]);
    expect(rules(ingress, 'from')).toEqual([
      [['ingress-nginx'], ['http']],
      [['monitoring'], ['metrics']],
    ]);
    expect(rules(egress, 'to')).toEqual([
      [['kube-system'], [53, 53]],
      [[], [5432]],
    ]);
  });

  it('asks the ports on which the service listens', () => {
    const [api] = readYaml('deploy/kubernetes/deployment.yaml').spec.template.spec.containers;
    const ports = Object.fromEntries(
      api.ports.map(({ name, containerPort }: any) => [name, String(containerPort)]),
    );
    expect(ports).toEqual({ http: imageEnvironment().PORT, metrics: kubernetes().environment.METRICS_PORT });
  });
});
