import { createServer } from 'node:net';
import { ConfigError, ServiceConfig } from '@app/config';
import { createApp } from '../../apps/api/src/configure-app';
import { BreakableLink } from '../support/breakable-link';
import { type BuiltService, spawnBuiltService, startBuiltService } from '../support/built-service';
import { createDatabase, dropDatabase } from '../support/databases';
import { TEST_ENVIRONMENT } from '../support/service';
import { until } from '../support/until';

interface Line {
  level: string;
  time: string;
  pid: number;
  msg: string;
  frames?: string[];
}

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

let databaseUrl: string;
beforeAll(async () => (databaseUrl = await createDatabase()));
afterAll(() => dropDatabase(databaseUrl));

async function spawned(environment: Record<string, string>): Promise<BuiltService> {
  const service = await spawnBuiltService({ LOG_LEVEL: 'info', DATABASE_URL: databaseUrl, ...environment });
  cleanUp.push(() => service.end('SIGKILL'));
  return service;
}

/** All that the process has written. @throws SyntaxError for a line that is not JSON. */
function linesOf(service: BuiltService): Line[] {
  const lines = service.output().trimEnd().split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Line);
}

const said = (service: BuiltService) => linesOf(service).map(({ msg }) => msg);

function withUrl(change: (url: URL) => unknown) {
  const url = new URL(databaseUrl);
  change(url);
  return { DATABASE_URL: url.href };
}

async function aTakenPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp.push(() => server.close());
  return String((server.address() as { port: number }).port);
}

/** What an operator gets wrong in `DATABASE_URL`, and the words for it. */
const MISTAKES: [string, (url: URL) => unknown, RegExp][] = [
  ['a wrong password', (url) => (url.password = 'wrong'), /it refuses the user or the password/],
  [
    'a database that does not exist',
    (url) => (url.pathname = '/nowhere'),
    /there is no database of this name/,
  ],
  ['TLS that the server does not have', (url) => (url.search = 'sslmode=verify-full'), /it offers no TLS/],
  [
    'a certificate that is not there',
    (url) => (url.search = 'sslrootcert=/nowhere'),
    /a file of its TLS settings cannot be read \(ENOENT\)/,
  ],
];

describe('a start that fails', () => {
  it.each(MISTAKES)('for %s names it', async (_, change, words) => {
    const settings = { ...TEST_ENVIRONMENT, ...withUrl(change) };
    const failure: unknown = await createApp(new ServiceConfig(settings)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConfigError);
    expect((failure as Error).message).toMatch(words);
    expect((failure as Error).message).not.toContain(new URL(databaseUrl).password);
  });

  it.each([
    ['the database', () => withUrl((url) => (url.password = 'wrong')), /it refuses the user or the password/],
    ['a port', async () => ({ METRICS_PORT: await aTakenPort() }), /another program uses PORT/],
  ])('for %s says so in one line of JSON, and ends with 1', async (_, environment, sentence) => {
    const service = await spawned(await environment());
    await until('the process has ended', async () => service.process.exitCode !== null);
    expect(service.process.exitCode).toBe(1);
    expect(linesOf(service)).toEqual([
      { level: 'fatal', time: expect.any(String), pid: service.process.pid, msg: expect.any(String) },
    ]);
    expect(said(service)[0]).toMatch(/^The service cannot start: /);
    expect(said(service)[0]).toMatch(sentence);
  });

  it('after a warning of Node writes that as JSON too', async () => {
    // The driver of PostgreSQL warns of this word.
    const service = await spawned(withUrl((url) => (url.search = 'sslmode=require')));
    await until('the process has ended', async () => service.process.exitCode !== null);
    expect(linesOf(service).map(({ level }) => level)).toEqual(['warn', 'fatal']);
    expect(said(service)[0]).toContain('SECURITY WARNING');
  });
});

it('a start without its database says why, is not ready before it is back, and warns of a misspelt setting', async () => {
  const { link, url } = await BreakableLink.to(databaseUrl);
  cleanUp.push(() => link.close());
  link.cut();
  const service = await spawned({ DATABASE_URL: url, WEB_CONCURRENCY: '2', RATE_LIMIT: 'hidden' });
  await until('the service listens', async () => isAlive(service));
  const about = (word: string) => linesOf(service).filter(({ msg }) => msg?.includes(word));
  const workers = () =>
    new Set(about('The database is away: it closed the connection').map(({ pid }) => pid));
  await until('each of the two workers knows', async () => workers().size === 2);
  expect(about('is ready')).toEqual([]);
  link.mend();
  await until('it is ready', async () => about('is ready').length > 0);
  expect(new Set(about('is back').map(({ pid }) => pid))).toEqual(workers());
  expect(about('is back')).toHaveLength(2);
  expect(about('is ready').map(({ pid }) => pid)).toEqual([service.process.pid]);
  // Two workers and their parent write: which of their lines comes first is left to chance.
  expect(said(service)).toContain('RATE_LIMIT is no setting of the service. Is RATE_LIMITS meant?');
  expect(service.output()).not.toContain('hidden');
});

async function isAlive({ api }: BuiltService): Promise<boolean> {
  return api.get('/healthz').then(
    ({ status }) => status === 200,
    () => false,
  );
}

it('good answers to health checks leave no line', async () => {
  const service = await startBuiltService({ LOG_LEVEL: 'info', DATABASE_URL: databaseUrl });
  cleanUp.push(() => service.end('SIGKILL'));
  const routes = () =>
    service
      .output()
      .split('\n')
      .flatMap((line) => /"route":"([^"]*)"/.exec(line)?.[1] ?? []);
  for (const path of ['/healthz', '/readyz', '/api/profiles']) await service.api.get(path);
  await until('the last one is in the log', async () => routes().includes('/api/profiles'));
  expect(routes()).toEqual(['/api/profiles']);
});
