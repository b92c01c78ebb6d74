import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { type SharedService, sharedService, startService } from '../support/service';

interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
}

describe('the knowledge base', () => {
  let service: SharedService;
  let etag: string;
  beforeAll(async () => {
    service = await sharedService();
    etag = (await get()).headers.etag as string;
  });

  /** Without a token, and with the bytes as they come: `fetch` would unpack them. */
  const get = (headers: Record<string, string> = {}, query = '') =>
    new Promise<RawAnswer>((resolve, reject) => {
      const url = `${service.api.url}/api/interactions/knowledge-base${query}`;
      request(url, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            bytes: Buffer.concat(chunks),
          }),
        );
      })
        .on('error', reject)
        .end();
    });

  it('is public, versioned, and may be kept by caches', async () => {
    const { status, headers, bytes } = await get();
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(headers.etag).toMatch(/^"[\w-]{20,}"$/);
    expect(headers['cache-control']).toMatch(/public/);
    expect(headers.vary).toMatch(/accept-encoding/i);
    expect(headers['content-encoding']).toBeUndefined();
    expect(JSON.parse(bytes.toString())).toMatchObject({
      format: 1,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
  });

  it.each([
    ['', 'en'],
    ['?language=en', 'en'],
    ['?language=de', 'de'],
    ['?language=es-MX', 'es'],
    ['?language=fr', 'en'],
  ])('holds the sentences of one language: %j', async (query, language) => {
    const { headers, bytes } = await get({}, query);
    const body = JSON.parse(bytes.toString()) as { language: string; phrases: object; translated?: object };
    expect(body).toMatchObject({ language, phrases: { [language]: expect.anything() } });
    expect([Object.keys(body.phrases), body.translated]).toEqual([[language], undefined]);
    expect(headers.etag === etag).toBe(language === 'en');
    const known = await get({ 'If-None-Match': headers.etag as string }, query);
    expect([known.status, known.headers.etag]).toEqual([304, headers.etag]);
  });

  it.each(['?language=', `?language=${'x'.repeat(36)}`, '?language=de&language=es', '?lang=de'])(
    'refuses %s',
    async (query) => {
      expect((await get({}, query)).status).toBe(400);
    },
  );

  it.each(['gzip', 'deflate, gzip;q=0.5, br', 'GZIP', '*'])(
    'is packed for who accepts %j',
    async (accepted) => {
      const plain = await get();
      const { headers, bytes } = await get({ 'Accept-Encoding': accepted });
      expect(headers['content-encoding']).toBe('gzip');
      expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(gunzipSync(bytes).equals(plain.bytes)).toBe(true);
    },
  );

  it.each(['identity', 'br', 'gzip;q=0', 'gzip; q=0.0, identity', ''])(
    'is not packed for who accepts %j',
    async (accepted) => {
      const { headers, bytes } = await get({ 'Accept-Encoding': accepted });
      expect(headers['content-encoding']).toBeUndefined();
      expect(bytes.subarray(0, 1).toString()).toBe('{');
    },
  );

  it.each<[string, (tag: string) => string]>([
    ['its tag', (tag) => tag],
    ['its tag made weak on the way', (tag) => `W/${tag}`],
    ['a list with its tag', (tag) => `"other", ${tag}`],
    ['any', () => '*'],
  ])('is not sent again to who has it: %s', async (_, headerOf) => {
    const { status, headers, bytes } = await get({
      'If-None-Match': headerOf(etag),
      'Accept-Encoding': 'gzip',
    });
    expect([status, bytes.length]).toEqual([304, 0]);
    expect(headers.etag).toBe(etag);
    expect(headers['cache-control']).toMatch(/public/);
  });

  it.each(['"other"', '"', 'x'])('is sent to who has something else: %s', async (tag) => {
    expect((await get({ 'If-None-Match': tag })).status).toBe(200);
  });

  it('has the same tag on every replica', async () => {
    const other = await startService();
    const { headers } = await other.api.get('/api/interactions/knowledge-base');
    await other.stop();
    expect(headers.get('etag')).toBe(etag);
  });
});
