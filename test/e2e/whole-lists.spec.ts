import { get, type IncomingMessage } from 'node:http';
import { Client } from 'pg';
import { BreakableLink } from '../support/breakable-link';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { anAccount, aProfile } from '../support/factories';
import { headersOf } from '../support/in-space';
import { type ServiceHere, startServiceHere } from '../support/service-here';
import { until } from '../support/until';

const KIB = 1024;
/** Records of 200 KiB: many more pages than what the kernel takes of an answer that nobody reads. */
const LONG = 200;
const PATH = '/api/health-stats';

let databaseUrl: string;
let link: BreakableLink;
let service: ServiceHere;
beforeAll(async () => {
  databaseUrl = await createDatabase();
  const linked = await BreakableLink.to(databaseUrl);
  link = linked.link;
  service = await startServiceHere({ DATABASE_URL: linked.url });
});
afterAll(async () => {
  await service.stop();
  await link.close();
  await dropDatabase(databaseUrl);
});

/** An account with health statistics, one a minute, whose blobs are their numbers, as long as `bytes`. */
async function anAccountWith(count: number, bytes: number) {
  const account = await anAccount(service.api);
  const profileId = await aProfile(service.api, account.token);
  await sql(
    databaseUrl,
    `INSERT INTO health_stats (account_id, id, profile_id, encrypted_data, recorded_at)
      SELECT account_id, gen_random_uuid(), id, '"' || lpad(n::text, $3 - 2, 'A') || '"', '2020-01-01T00:00:00Z'::timestamptz + n * interval '1 minute'
      FROM profiles, generate_series(1, $2::int) AS n WHERE id = $1`,
    [profileId, count, bytes],
  );
  return account;
}

const numbersOf = (body: { encrypted_data: string }[]) =>
  body.map(({ encrypted_data: blob }) => Number(blob.replace(/^A+/, '')));
const downFrom = (count: number) => Array.from({ length: count }, (_, index) => count - index);

/** What `work` gives, and how often it asked the database for health statistics. */
async function counting<T>(work: () => Promise<T>): Promise<[T, number]> {
  const query = jest.spyOn(Client.prototype, 'query');
  const result = await work();
  const asked = query.mock.calls.filter(([first]) =>
    /FROM health_stats/.test((first as unknown as { text?: string }).text ?? ''),
  );
  query.mockRestore();
  return [result, asked.length];
}

/** The answer as soon as its first bytes are there; it is read no further. */
function begin(token: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(service.api.url + PATH, { headers: headersOf(token, PATH), agent: false }, (answer) =>
      answer.once('readable', () => resolve(answer)),
    ).on('error', reject);
  });
}

/** How an answer ends that is read on. */
function endOf(answer: IncomingMessage): Promise<{ isComplete: boolean; bytes: number }> {
  return new Promise((resolve) => {
    let bytes = 0;
    answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
    answer.on('error', () => undefined);
    answer.on('close', () => resolve({ isComplete: answer.complete, bytes }));
  });
}

describe('a whole list', () => {
  it.each([
    ['no records', 0, 2],
    ['few records', 400, 1],
    ['records of more than 128 KiB', 1_000, 4],
  ])('of %s is one piece', async (_, count, statements) => {
    const { token } = await anAccountWith(count, 64);
    const [answer, asked] = await counting(() => service.api.get('/api/health-stats', { token }));
    expect([answer.status, asked]).toEqual([200, statements]);
    expect(numbersOf(answer.body)).toEqual(downFrom(count));
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(answer.text)));
  });

  it('of 2,500 records is measured, found long, and comes in three pieces', async () => {
    const { token } = await anAccountWith(2_500, 64);
    const [answer, asked] = await counting(() => service.api.get('/api/health-stats', { token }));
    expect([answer.status, asked]).toEqual([200, 6]);
    expect(numbersOf(answer.body)).toEqual(downFrom(2_500));
    expect(answer.headers.get('content-length')).toBeNull();
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('link')).toBeNull();
  });

  it('that ends with a page has no empty one after it', async () => {
    const { token } = await anAccountWith(2_000, 64);
    const [answer, asked] = await counting(() => service.api.get('/api/health-stats', { token }));
    expect(asked).toBe(5);
    expect(numbersOf(answer.body)).toEqual(downFrom(2_000));
  });

  it('of large records is read in pages of 512 KiB', async () => {
    const { token } = await anAccountWith(60, 200 * KIB);
    const [answer, asked] = await counting(() => service.api.get('/api/health-stats', { token }));
    expect(numbersOf(answer.body)).toEqual(downFrom(60));
    // Two of these are 400 KiB, and a third does not fit. After each page the service asks whether there is more.
    expect(asked).toBe(62);
  });

  it('of small records and large ones is read in pages of as many as fit', async () => {
    const { token } = await anAccountWith(1_500, 64);
    await sql(
      databaseUrl,
      `UPDATE health_stats SET encrypted_data = '"' || repeat('A', 250000) || ltrim(encrypted_data, '"A') WHERE recorded_at >= '2020-01-02' AND recorded_at < '2020-01-02T00:30:00Z'`,
    );
    const [answer, asked] = await counting(() => service.api.get('/api/health-stats', { token }));
    expect(numbersOf(answer.body)).toEqual(downFrom(1_500));
    expect(asked).toBeGreaterThan(4);
  });

  it('is not read on for HEAD', async () => {
    const { token } = await anAccountWith(2_500, 64);
    const [answer, asked] = await counting(() =>
      fetch(service.api.url + PATH, { method: 'HEAD', headers: headersOf(token, PATH) }),
    );
    expect([answer.status, asked]).toEqual([200, 3]);
    expect(answer.headers.get('content-length')).toBeNull();
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('waits for a client that reads slowly', async () => {
    const { token } = await anAccountWith(LONG, 200 * KIB);
    const [answer, asked] = await counting(async () => {
      const slow = await begin(token);
      // Others are answered meanwhile.
      for (let count = 0; count < 20; count++) await service.api.get('/api/profiles', { token });
      return slow;
    });
    expect(asked).toBeLessThan(60);
    expect((await endOf(answer)).isComplete).toBe(true);
  });

  it.each<[string, (email: string) => Promise<unknown>]>([
    [
      'the token is revoked',
      (email) => sql(databaseUrl, 'UPDATE accounts SET token_version = 9 WHERE email = $1', [email]),
    ],
    ['the database goes away', () => Promise.resolve(link.cut())],
  ])('that is cut in the middle because %s cannot look complete', async (_, cut) => {
    const { token, email } = await anAccountWith(LONG, 200 * KIB);
    const answer = await begin(token);
    await cut(email);
    const { isComplete, bytes } = await endOf(answer);
    link.mend();
    expect(isComplete).toBe(false);
    expect(bytes).toBeGreaterThan(100 * KIB);
    expect(bytes).toBeLessThan(LONG * 200 * KIB);
    await until('the service is ready', async () => (await service.api.get('/readyz')).status === 200);
  });

  it('that nobody reads any more is not read on', async () => {
    const { token } = await anAccountWith(LONG, 200 * KIB);
    const [, asked] = await counting(async () => {
      (await begin(token)).destroy();
      for (let count = 0; count < 20; count++) await service.api.get('/api/profiles', { token });
    });
    expect(asked).toBeLessThan(60);
  });
});

describe('a list with a limit', () => {
  it('holds a record that is larger than a short page alone', async () => {
    const { token } = await anAccountWith(1, 200 * KIB);
    const [answer, asked] = await counting(() => service.api.get('/api/health-stats?limit=20', { token }));
    expect([numbersOf(answer.body), asked]).toEqual([[1], 4]);
    expect(answer.headers.get('link')).toBeNull();
  });

  it('is a short read where the account stores much and the page is small', async () => {
    const { token } = await anAccountWith(2_000, 64);
    const path = '/api/health-stats?limit=100';
    const [answer, asked] = await counting(() => service.api.get(path, { token }));
    expect([answer.body.length, asked]).toEqual([100, 1]);
  });

  it('holds fewer records where they are large, and a Link leads on to each of the others once', async () => {
    const { token } = await anAccountWith(60, 200 * KIB);
    const pages: number[][] = [];
    for (let path: string | undefined = '/api/health-stats?limit=50'; path;) {
      const answer = await service.api.get(path, { token });
      pages.push(numbersOf(answer.body));
      path = /<(.*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    expect(pages.flat()).toEqual(downFrom(60));
    expect(pages.map(({ length }) => length)).toEqual(Array(30).fill(2));
  });
});
