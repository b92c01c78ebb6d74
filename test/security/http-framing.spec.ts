import { decodeToken, expectFailure, type FailureCode, type UnreadableCode } from '@app/testing';
import { TIMEOUTS } from '../../apps/api/src/configure-app';
import { sql } from '../support/databases';
import { aHealthStat, anAccount, aProfile } from '../support/factories';
import { type RawAnswer, RawConnection } from '../support/raw-connection';
import { startService, type TestService } from '../support/service';
import { until } from '../support/until';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startService({}, { ...TIMEOUTS, headersMs: 400, requestMs: 800, checkEveryMs: 50 });
  ({ token } = await anAccount(service.api));
});
afterAll(() => service.stop());

async function ask(...lines: string[]): Promise<{ answer: RawAnswer; connection: RawConnection }> {
  const connection = await RawConnection.to(service.api.url);
  connection.write(...lines);
  return { connection, answer: await connection.answer() };
}

const GET = 'GET /healthz HTTP/1.1';
const POST = 'POST /api/auth/login HTTP/1.1';
const JSON_TYPE = 'Content-Type: application/json';
const END = '\r\n';

/** What the parser of Node refuses, and what it lets through although two programs could read it differently. */
const REFUSED: [string, FailureCode | UnreadableCode, string[]][] = [
  ['what is not HTTP', 'malformed_request', ['NONSENSE', END]],
  ['a TLS handshake', 'malformed_request', ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03']],
  ['a header without a colon', 'malformed_request', [GET, 'Host: x', 'nonsense', END]],
  ['headers over 16 KiB', 'headers_too_large', [GET, 'Host: x', `X: ${'x'.repeat(20_000)}`, END]],
  ['a head that does not end', 'request_timeout', [GET, 'Host: x']],
  ['a body that does not end', 'request_timeout', [POST, 'Host: x', JSON_TYPE, 'Content-Length: 9', END]],
  ['two lengths', 'malformed_request', [POST, 'Host: x', 'Content-Length: 2', 'Content-Length: 3', END]],
  [
    'a length and chunks',
    'malformed_request',
    [POST, 'Host: x', 'Content-Length: 2', 'Transfer-Encoding: chunked', END],
  ],
  [
    'a chunk without a size',
    'malformed_request',
    [POST, 'Host: x', JSON_TYPE, 'Transfer-Encoding: chunked', '', 'zz', END],
  ],
  ['an unknown transfer coding', 'malformed_request', [POST, 'Host: x', 'Transfer-Encoding: gzip', END]],
  ['no Host', 'malformed_request', [GET, END]],
  ['two Host', 'malformed_request', [GET, 'Host: a', 'host: b', END]],
  ['two Host that are the same', 'malformed_request', [GET, 'Host: a', 'Host: a', END]],
  [
    'two Authorization',
    'malformed_request',
    ['GET /api/profiles HTTP/1.1', 'Host: x', 'Authorization: Bearer a', 'Authorization: Bearer b', END],
  ],
  [
    'two Authorization on a public route',
    'malformed_request',
    [GET, 'Host: x', 'Authorization: Bearer a', 'Authorization: Bearer a', END],
  ],
  [
    'two Authorization behind 3,000 headers',
    'malformed_request',
    [GET, 'Host: x', ...Array<string>(3_000).fill('a:'), 'Authorization: a', 'Authorization: b', END],
  ],
  [
    'two Content-Type',
    'malformed_request',
    [POST, 'Host: x', JSON_TYPE, 'Content-Type: text/plain', 'Content-Length: 2', '', '{}'],
  ],
  [
    'HTTP/1.0 with chunks',
    'malformed_request',
    ['POST /api/auth/login HTTP/1.0', JSON_TYPE, 'Transfer-Encoding: chunked', '', '2', '{}', '0', END],
  ],
  ...['gzip', 'br', 'deflate', 'x-unknown', 'GZIP'].map((coding): (typeof REFUSED)[number] => [
    `a body as ${coding}`,
    'unsupported_media_type',
    [POST, 'Host: x', JSON_TYPE, `Content-Encoding: ${coding}`, 'Content-Length: 2', '', '{}'],
  ]),
  [
    'a body as gzip in chunks',
    'unsupported_media_type',
    [POST, 'Host: x', JSON_TYPE, 'Content-Encoding: gzip', 'Transfer-Encoding: chunked', '', '0', END],
  ],
  [
    'two codings in one header',
    'malformed_request',
    [POST, 'Host: x', JSON_TYPE, 'Content-Encoding: gzip, identity', 'Content-Length: 2', '', '{}'],
  ],
  [
    'two codings in two headers',
    'malformed_request',
    [
      POST,
      'Host: x',
      JSON_TYPE,
      'Content-Encoding: identity',
      'Content-Encoding: gzip',
      'Content-Length: 2',
      '',
      '{}',
    ],
  ],
];

describe.each(REFUSED)('%s', (_, code, lines) => {
  it(`is refused as ${code}, in the shape and with the headers of every other failure`, async () => {
    const { answer, connection } = await ask(...lines);
    expectFailure(answer, code);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'self'"),
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    if (code !== 'unsupported_media_type') {
      expect(answer.headers.get('connection')).toBe('close');
      await connection.ended();
    }
    connection.end();
  });
});

describe('is accepted:', () => {
  it.each([
    ['HTTP/1.0 without Host', ['GET /healthz HTTP/1.0', END], 200],
    [
      'identity',
      [POST, 'Host: x', JSON_TYPE, 'Content-Encoding: identity', 'Content-Length: 2', '', '{}'],
      400,
    ],
    ['a coding without a body', [GET, 'Host: x', 'Content-Encoding: gzip', END], 200],
    ['a header twice that is a list', [GET, 'Host: x', 'Accept: a/b', 'Accept: c/d', END], 200],
    ['an unknown expectation', [GET, 'Host: x', 'Expect: x', END], 200],
  ] as [string, string[], number][])('%s', async (_, lines, status) => {
    const { answer, connection } = await ask(...lines);
    connection.end();
    expect(answer.status).toBe(status);
    if (status === 400) expectFailure(answer, 'validation_failed');
  });
});

describe('what is not HTTP, behind a request that is', () => {
  it('ends the connection and is never mixed into the answer of that request', async () => {
    const profileId = await aProfile(service.api, token);
    await aHealthStat(service.api, token, profileId, { encrypted_data: 'x'.repeat(200_000) });
    await sql(
      service.databaseUrl,
      `INSERT INTO health_stats (account_id, id, profile_id, encrypted_data, recorded_at)
        SELECT account_id, gen_random_uuid(), profile_id, encrypted_data, recorded_at
        FROM health_stats, generate_series(1, 100) WHERE account_id = $1`,
      [decodeToken(token).payload.sub],
    );
    const connection = await RawConnection.to(service.api.url);
    connection.write('GET /api/health-stats HTTP/1.1', 'Host: x', `Authorization: Bearer ${token}`, END);
    await until('the answer has begun', async () => connection.received.length > 0);
    connection.write('NONSENSE', END);
    await connection.ended();
    expect(connection.received).toMatch(/^HTTP\/1\.1 200 /);
    expect(connection.received).not.toContain('malformed_request');
    expect(connection.received.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('is refused where that request has its whole answer', async () => {
    const connection = await RawConnection.to(service.api.url);
    connection.write(GET, 'Host: x', END);
    await connection.answer();
    connection.write('NONSENSE', END);
    const [, refused] = await connection.answers(2);
    expectFailure(refused, 'malformed_request');
  });
});

it('is refused without a word about the program or what it has read', async () => {
  const { answer, connection } = await ask('GET /healthz HTTP/9.9', 'Secret: of-a-client', END);
  expect(connection.received).not.toMatch(/of-a-client|fastify|node\b|HPE_|llhttp|\bat .*:\d/i);
  expect(answer.status).toBe(400);
});
