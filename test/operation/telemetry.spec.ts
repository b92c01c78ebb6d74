import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { ADDRESS_POLICIES, LOCAL_POLICIES, SECRET_POLICIES } from '@app/security';
import { parse } from 'yaml';
import type { CallOptions } from '@app/testing';
import { type BuiltService, startBuiltService } from '../support/built-service';
import { ClientAt, LIMITED } from '../support/clients';
import { type Collector, startCollector } from '../support/collector';
import { createDatabase, dropDatabase } from '../support/databases';
import { anAccount, aProfile } from '../support/factories';
import { freePort } from '../support/free-port';
import { until } from '../support/until';

const ROOT = join(__dirname, '../..');
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

/** What a caller sends and no telemetry may repeat. */
const CANARIES = {
  email: 'wintergoldhaehnchen@kanarien.example',
  password: 'goldammer-as-a-password',
  body: 'goldammer-in-a-body',
  path: 'goldammer-in-a-path',
  query: 'goldammer-in-a-query',
  agent: 'GoldammerBrowser/17.3',
  state: 'goldammer-in-a-state',
  baggage: 'goldammer-as-baggage',
  key: 'goldammer-as-a-key',
};
const HEADERS = {
  'User-Agent': CANARIES.agent,
  tracestate: `x=${CANARIES.state}`,
  baggage: `x=${CANARIES.baggage}`,
  'Idempotency-Key': CANARIES.key,
};

let collector: Collector;
let databaseUrl: string;
let metricsUrl: string;
let service: BuiltService;
let api: ClientAt;
let token: string;
let profileId: string;

/** Two processes, so that the metrics are added up and a worker can die. */
beforeAll(async () => {
  collector = await startCollector();
  databaseUrl = await createDatabase();
  const port = await freePort();
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  service = await startBuiltService({
    ...LIMITED,
    DATABASE_URL: databaseUrl,
    WEB_CONCURRENCY: '2',
    METRICS_PORT: String(port),
    LOG_LEVEL: 'debug',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '20',
  });
  api = new ClientAt(service.api.url);
  ({ token } = await anAccount(api));
  profileId = await aProfile(api, token);
}, 120_000);
afterAll(async () => {
  await service?.end();
  await dropDatabase(databaseUrl);
  await collector.close();
});

const metrics = async () => (await fetch(metricsUrl)).text();
const seriesOf = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
const valuesOf = (text: string, label: string) =>
  [...new Set([...text.matchAll(new RegExp(`\\b${label}="([^"]*)"`, 'g'))].map(([, value]) => value))].sort();

/** A call that brings every canary and a trace of its own. */
const callWithCanaries = (method: string, path: string, body?: object, options: CallOptions = {}) =>
  api.call(method, path, body, {
    ...options,
    headers: { ...HEADERS, traceparent: `00-${TRACE}-${CALLER}-01` },
  });

async function failToSignIn(): Promise<void> {
  await callWithCanaries('POST', '/api/auth/login', {
    email: CANARIES.email,
    password: CANARIES.password,
  });
}

describe('a trace', () => {
  beforeAll(async () => {
    await failToSignIn();
    const change = { relationship: CANARIES.body };
    const { status } = await callWithCanaries('PUT', `/api/profiles/${profileId}`, change, { token });
    expect(status).toBe(200);
    await callWithCanaries('GET', `/api/${CANARIES.path}?x=${CANARIES.query}`);
    await until('the spans came', async () => {
      const routes = collector.spans().filter(({ parentSpanId }) => parentSpanId === CALLER);
      return routes.length === 3;
    });
  });

  const spanOf = (name: string) =>
    collector.spans().find((span) => span.name === name && span.traceId === TRACE)!;
  const below = ({ spanId }: { spanId: string }) =>
    collector.spans().filter(({ parentSpanId }) => parentSpanId === spanId);

  it('goes on from the caller, with the pattern of the route and the status', () => {
    const span = spanOf('PUT /api/profiles/:id');
    expect(span).toMatchObject({ traceId: TRACE, parentSpanId: CALLER });
    expect(span.attributes).toEqual({
      'http.request.method': 'PUT',
      'http.route': '/api/profiles/:id',
      'http.response.status_code': 200,
    });
    expect(spanOf('GET').attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 404,
    });
  });

  it('shows the statements of a request with a body by name', () => {
    const statements = below(spanOf('PUT /api/profiles/:id'));
    expect(statements.length).toBeGreaterThan(0);
    for (const { name, attributes } of statements)
      expect(attributes).toEqual({ 'db.system.name': 'postgresql', 'db.query.summary': name });
    expect(statements.map(({ name }) => name)).toContainEqual(expect.stringMatching(/profiles/));
  });

  it('shows the hash of a sign-in, with its wait', () => {
    const [hash] = below(spanOf('POST /api/auth/login')).filter(({ name }) => name === 'password hash');
    expect(hash.attributes).toEqual({ 'password_hash.wait_ms': expect.anything() });
  });

  it('begins in the service if the caller brings none, and is in the log', async () => {
    const line = () =>
      service
        .output()
        .split('\n')
        .filter((each) => each.includes('/healthz') && each.includes('trace_id'))
        .map((each) => JSON.parse(each) as { trace_id: string })[0];
    await api.get('/healthz');
    await until('the line came', async () => line() !== undefined);
    await until('the span came', async () =>
      collector.spans().some(({ traceId }) => traceId === line().trace_id),
    );
    const own = service
      .output()
      .split('\n')
      .filter((each) => each.includes(TRACE));
    expect(own.map((each) => JSON.parse(each).route)).toEqual([
      '/api/auth/login',
      '/api/profiles/:id',
      'none',
    ]);
  });

  it('names the service and nothing of the machine', () => {
    expect(collector.resource().sort()).toEqual([
      'service.name',
      'service.version',
      'telemetry.sdk.language',
      'telemetry.sdk.name',
      'telemetry.sdk.version',
    ]);
  });
});

describe('the metrics', () => {
  it('have the version of the service and of the knowledge base once', async () => {
    const text = await metrics();
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const knowledge = (await api.get('/api/interactions/knowledge-base', { token })).body as {
      version: string;
    };
    expect(seriesOf(text)).toContain(
      `service_build_info{version="${version}",node="${process.versions.node}"} 1`,
    );
    expect(seriesOf(text)).toContain(`knowledge_base_info{version="${knowledge.version}"} 1`);
  });

  it('have the state of the database, and the connections of all workers', async () => {
    const series = seriesOf(await metrics());
    expect(series).toEqual(
      expect.arrayContaining([
        'database_up 1',
        'database_writes_failing 0',
        'storage_low 0',
        'worker_deaths_total 0',
      ]),
    );
    expect(series).toContain('database_connections_limit 36');
  });

  it('count hashes and what the limits refuse, by the names of policies', async () => {
    for (let count = 0; count < 6; count++) await failToSignIn();
    const text = await metrics();
    expect(text).toMatch(/^password_hash_duration_seconds_count [1-9]/m);
    expect(text).toMatch(/^password_hash_wait_seconds_count [1-9]/m);
    expect(text).toMatch(/^queue_length\{limit="hashes"\} 0$/m);
    expect(text).toMatch(/^rate_limit_decisions_total\{limit="secret",decision="refused"\} [1-9]/m);
    expect(text).toMatch(/^rate_limit_decisions_total\{limit="account",decision="allowed"\} [1-9]/m);
    const policies = Object.values<{ name: string }>({
      ...SECRET_POLICIES,
      ...ADDRESS_POLICIES,
      ...LOCAL_POLICIES,
    });
    const known = [...policies, ADDRESS_POLICIES.register.ofBlock].map(({ name }) => name);
    expect(valuesOf(text, 'policy').filter((policy) => !known.includes(policy))).toEqual([]);
  });

  it('do not grow with what people send', async () => {
    const send = async (count: number) => {
      for (let index = 0; index < count; index++) {
        const other = new ClientAt(service.api.url);
        await other.get(`/api/${CANARIES.path}-${index}`, { headers: HEADERS });
        await other.get(`/api/profiles/${CANARIES.path}-${index}`, { token });
        await other.post('/api/auth/prelogin', { email: `${index}.${CANARIES.email}` });
      }
    };
    // Node's own series depend on what the process does.
    const isOwn = (series: string) => !/^(nodejs|process)_/.test(series);
    const count = async () => seriesOf(await metrics()).filter(isOwn).length;
    await send(4);
    const before = await count();
    await send(20);
    expect(await count()).toBe(before);
    expect(
      valuesOf(await metrics(), 'route').filter(
        (route) => !/^(none|(\/[a-z.-]+|\/:[a-z_]+)+|\/)$/i.test(route),
      ),
    ).toEqual([]);
  });

  it('have buckets for requests that take as long as they may', async () => {
    expect(await metrics()).toMatch(/^http_request_duration_seconds_bucket\{le="40",/m);
  });
});

describe('a worker that dies', () => {
  const children = () => {
    const { pid } = service.process;
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  };
  const READY = 'database_connections_limit 36';

  it('is counted, and the others answer for the metrics meanwhile', async () => {
    process.kill(children()[0], 'SIGKILL');
    const answers: { status: number; text: string }[] = [];
    // From its death until the next one is ready.
    await until('the next one answers too', async () => {
      const answer = await fetch(metricsUrl);
      answers.push({ status: answer.status, text: await answer.text() });
      return answers.some(({ text }) => !text.includes(READY)) && answers.at(-1)!.text.includes(READY);
    });
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const { text } of answers) expect(text).toContain('database_up 1');
    expect(seriesOf(answers.at(-1)!.text)).toContain('worker_deaths_total 1');
  });
});

describe('what is sent to others', () => {
  it.each(Object.entries(CANARIES))('does not repeat: %s', async (_, canary) => {
    expect(collector.text()).toContain('/api/auth/login');
    expect(collector.text().toLowerCase()).not.toContain(canary.toLowerCase());
    expect((await metrics()).toLowerCase()).not.toContain(canary.toLowerCase());
  });

  it.each([
    ['a token', () => token],
    ['an id', () => profileId],
    ['an address', () => api.address],
  ])('does not repeat: %s', async (_, canary) => {
    expect(collector.text()).not.toContain(canary());
    expect(await metrics()).not.toContain(canary());
  });
});

interface Rule {
  alert: string;
  expr: string;
  annotations: { runbook: string };
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const rules = (
  parse(read('deploy/monitoring/alerts.yaml')) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);
const panels = (JSON.parse(read('deploy/monitoring/dashboard.json')) as { panels: any[] }).panels;
const expressions: [string, string][] = [
  ...rules.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...panels.flatMap(({ title, targets = [] }) =>
    // Grafana puts a duration here.
    targets.map(({ expr }: { expr: string }) => [title, expr.replaceAll('$__rate_interval', '5m')]),
  ),
];

/** The names of the metrics in an expression of PromQL. @throws Error if it is none. */
function metricsIn(expression: string): string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter: ({ name, type, from, to }) => {
      if (type.isError) throw new Error(`This is no PromQL: ${expression}`);
      if (name === 'VectorSelector') names.push(/^[a-z_0-9]+/.exec(expression.slice(from, to))![0]);
    },
  });
  return names;
}

describe('the dashboard and the alert rules', () => {
  it.each(expressions)('name metrics that the service has: %s', async (_, expression) => {
    const known = [...(await metrics()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    );
    const named = metricsIn(expression);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it.each(rules)('have a section of the run-book: $alert', ({ alert, annotations }) => {
    expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    const [, section] =
      new RegExp(`\n### ${alert}\n((?:(?!\n#)[^])*)`).exec(read('docs/operations.md')) ?? [];
    for (const part of ['- **Means:** ', '- **Look at:** ', '- **Do:** ']) expect(section).toContain(part);
  });

  it('have an alert for each section', () => {
    const sections = [...read('docs/operations.md').matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(rules.map(({ alert }) => alert));
  });
});
