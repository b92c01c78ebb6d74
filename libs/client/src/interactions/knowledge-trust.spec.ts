import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { HealthRecordsClientOptions } from '../client-options';
import type { JsonObject } from '../json';
import { clientOf } from '../testing/fake-client';
import { FakeService } from '../testing/fake-service';

const operator = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519');
const base = {
  format: 1,
  version: '1.2.0',
  rules: [{ id: 'a', severity: 'major' }],
  texts: ['x', 'ü\u2028'],
};

/** In the client's settings: the last 32 bytes of the SPKI form are the key. Source: RFC 8410. */
const publicKeyOf = ({ publicKey }: { publicKey: KeyObject }): string =>
  publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64');

/** What `kb:sign` makes. */
function signed(content: object, day = 22, { privateKey } = operator): JsonObject {
  const signed_at = `2026-11-${day}T10:00:00.000Z`;
  const text = `health-records knowledge base 1\n${signed_at}\n${JSON.stringify(content)}`;
  const value = sign(null, Buffer.from(text), privateKey).toString('base64');
  return { ...content, signature: { signed_at, value } };
}

function storage() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  };
}

/** A client that trusts the operator, and a service that serves what a test says. */
function clientWith(options: Partial<HealthRecordsClientOptions['knowledgeTrust']> = {}) {
  const service = new FakeService();
  const used: JsonObject[] = [];
  const client = clientOf(service, {
    knowledgeTrust: { publicKeys: [publicKeyOf(operator)], ...options },
    interactionEngine: (served) => {
      used.push(served);
      return { check: () => [], checkNew: () => [], resolve: () => [] };
    },
  });
  let tag = 0;
  const serve = (body: unknown): void => {
    tag += 1;
    const headers = { ETag: `"kb-${tag}"` };
    service.intercept = ({ path }) =>
      path.endsWith('/knowledge-base') ? { status: 200, body, headers } : undefined;
  };
  return { client, serve, used, check: () => client.interactions.check({ medications: [] }) };
}

describe('a client with the public key of the operator', () => {
  it('uses a base that the operator has signed', async () => {
    const { serve, check, used } = clientWith();
    serve(signed(base));
    expect(await check()).toEqual([]);
    expect(used).toHaveLength(1);
  });

  const good = signed(base);
  const { signature } = good as { signature: JsonObject };
  it.each<[string, unknown]>([
    ['without a signature', base],
    ['with a rule left out', { ...good, rules: [] }],
    ['with a milder rule', { ...good, rules: [{ id: 'a', severity: 'minor' }] }],
    ['with a member more', { ...good, more: 1 }],
    ['with a later time', { ...good, signature: { ...signature, signed_at: '2026-11-23T10:00:00.000Z' } }],
    ['with a time that is none', { ...good, signature: { ...signature, signed_at: 'later' } }],
    ['signed by somebody else', signed(base, 22, stranger)],
    ['with an empty signature', { ...good, signature: { ...signature, value: '' } }],
    ['with a signature that is none', { ...good, signature: { ...signature, value: 'x' } }],
    ['with a list as signature', { ...good, signature: [] }],
    ['without a version', signed({ ...base, version: undefined })],
    ['with a version that is none', signed({ ...base, version: '1.2' })],
  ])('refuses one %s', async (_, body) => {
    const { serve, check, used } = clientWith();
    serve(body);
    await expect(check()).rejects.toMatchObject({ code: 'knowledge_altered' });
    expect(used).toEqual([]);
    serve(good);
    expect(await check()).toEqual([]);
  });

  it.each<[string, JsonObject]>([
    ['of an older version', signed({ ...base, version: '1.1.9' }, 25)],
    ['of a version that is older by number', signed({ ...base, version: '0.30.0' }, 25)],
    ['of the same version, signed earlier', signed(base, 21)],
  ])('refuses one %s, also after a new start', async (_, older) => {
    const memory = storage();
    const first = clientWith({ storage: memory });
    first.serve(good);
    await first.check();
    first.serve(older);
    await expect(first.client.interactions.refresh()).rejects.toMatchObject({ code: 'knowledge_outdated' });
    // The base that it has stays in use.
    expect(await first.check()).toEqual([]);
    expect(first.used).toHaveLength(1);
    const second = clientWith({ storage: memory });
    second.serve(older);
    await expect(second.check()).rejects.toMatchObject({ code: 'knowledge_outdated' });
    expect(second.used).toEqual([]);
  });

  it('remembers in its own memory without a storage', async () => {
    const { client, serve, check } = clientWith();
    serve(good);
    await check();
    serve(signed(base, 21));
    await expect(client.interactions.refresh()).rejects.toMatchObject({ code: 'knowledge_outdated' });
  });

  it('uses a newer one, and the same one again', async () => {
    const memory = storage();
    const { client, serve, check, used } = clientWith({ storage: memory });
    serve(good);
    await check();
    serve(signed({ ...base, version: '1.10.0' }, 21));
    expect(await client.interactions.refresh()).toBe(true);
    serve(signed({ ...base, version: '1.10.0' }, 21));
    expect(await client.interactions.refresh()).toBe(true);
    expect(used.map(({ version }) => version)).toEqual(['1.2.0', '1.10.0', '1.10.0']);
    expect([...memory.items.values()].map((text) => JSON.parse(text))).toEqual([
      { version: '1.10.0', signed_at: '2026-11-21T10:00:00.000Z' },
    ]);
  });

  it('does not remember a base that the engine cannot read', async () => {
    const memory = storage();
    const service = new FakeService();
    service.intercept = () => ({ status: 200, body: good });
    const client = clientOf(service, {
      knowledgeTrust: { publicKeys: [publicKeyOf(operator)], storage: memory },
      interactionEngine: () => Promise.reject(new Error('cannot be read')),
    });
    await expect(client.interactions.check({ medications: [] })).rejects.toThrow('cannot be read');
    expect(memory.items.size).toBe(0);
  });

  it('starts anew where what it remembered is unreadable', async () => {
    const memory = storage();
    for (const text of ['{', '[]', '{"version":1}']) {
      memory.setItem('health-records/knowledge', text);
      const { serve, check } = clientWith({ storage: memory });
      serve(good);
      expect(await check()).toEqual([]);
    }
  });

  it('accepts any of several keys, so that the operator can change it', async () => {
    const { serve, check } = clientWith({ publicKeys: [publicKeyOf(operator), publicKeyOf(stranger)] });
    serve(signed(base, 22, stranger));
    expect(await check()).toEqual([]);
  });

  it.each([[[]], [['']], [['AAAA']], [[`${'A'.repeat(43)}!`]]])(
    'needs keys of 32 bytes: %j',
    (publicKeys) => {
      expect(() => clientWith({ publicKeys })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    },
  );

  it('says that the platform has no Ed25519', async () => {
    const { serve, check } = clientWith();
    serve(good);
    const missing = Object.assign(new Error(), { name: 'NotSupportedError' });
    const spy = jest.spyOn(globalThis.crypto.subtle, 'importKey').mockRejectedValueOnce(missing);
    await expect(check()).rejects.toMatchObject({ code: 'ed25519_unavailable' });
    spy.mockRestore();
  });
});

it('accepts an unsigned base without a key', async () => {
  const service = new FakeService();
  const client = clientOf(service, {
    interactionEngine: () => ({ check: () => [], checkNew: () => [], resolve: () => [] }),
  });
  expect(await client.interactions.check({ medications: [] })).toEqual([]);
});

describe('an edition in another language', () => {
  const english = signed({ ...base, language: 'en' });
  const german = signed({ ...base, language: 'de', texts: ['ä', 'ü'] });

  /** A client whose findings name the language of the base, and a service with these editions. */
  function clientOfEditions(editions: Record<string, unknown>) {
    const service = new FakeService();
    const client = clientOf(service, {
      knowledgeTrust: { publicKeys: [publicKeyOf(operator)] },
      interactionEngine: ({ language }) => {
        const results = () => [{ lang: language }] as never;
        return { check: results, checkNew: results, resolve: () => [] };
      },
    });
    const asked: string[] = [];
    service.intercept = ({ path, query }) => {
      if (!path.endsWith('/knowledge-base')) return undefined;
      const language = query.get('language') ?? 'en';
      asked.push(language);
      return { status: 200, body: editions[language], headers: { ETag: `"${language}"` } };
    };
    const languageOf = async (language?: string) =>
      (await client.interactions.check({ medications: [], ...(language && { language }) }))[0].lang;
    return { client, service, asked, languageOf };
  }

  it('is fetched alone, and once', async () => {
    const { client, asked, languageOf } = clientOfEditions({ en: english, de: german });
    expect(await languageOf('de')).toBe('de');
    expect(await languageOf('de')).toBe('de');
    await client.interactions.resolve(['x']);
    expect(asked).toEqual(['de']);
    expect(await languageOf()).toBe('en');
    expect(asked).toEqual(['de', 'en']);
  });

  it('is fetched for names in the language of the checks that follow', async () => {
    const { client, asked } = clientOfEditions({ en: english, de: german });
    await client.interactions.resolve(['x'], { language: 'de' });
    await client.interactions.check({ medications: [], language: 'de' });
    expect(asked).toEqual(['de']);
  });

  it.each<[string, unknown]>([
    ['one sentence was altered', { ...german, texts: ['ä', 'u'] }],
    ['it has no signature', { ...german, signature: undefined }],
    ['it is signed by somebody else', signed({ ...base, language: 'de' }, 22, stranger)],
    ['it is the signed edition of a third language', signed({ ...base, language: 'es' })],
  ])('is refused where %s, and the checks stay English', async (_, altered) => {
    const { client, asked, languageOf } = clientOfEditions({ en: english, de: altered });
    expect(await languageOf('de')).toBe('en');
    expect(await languageOf('de')).toBe('en');
    expect(asked).toEqual(['de', 'en']);
    await expect(client.interactions.refresh()).rejects.toMatchObject({ code: 'knowledge_altered' });
    const second = clientOfEditions({ en: english, de: altered });
    expect(await second.languageOf()).toBe('en');
    expect(await second.languageOf('de')).toBe('en');
  });

  it('is refused without an English one too, and nothing is checked', async () => {
    const altered = { ...german, rules: [] };
    const { languageOf } = clientOfEditions({ en: { ...english, rules: [] }, de: altered });
    await expect(languageOf('de')).rejects.toMatchObject({ code: 'knowledge_altered' });
  });

  it('is replaced by the one in use while the network is away', async () => {
    const { service, languageOf } = clientOfEditions({ en: english, de: german });
    expect(await languageOf()).toBe('en');
    const { intercept } = service;
    service.intercept = () => ({ status: 503, body: { error: 'It is away.', code: 'overloaded' } });
    expect(await languageOf('de').catch(({ code }: { code: string }) => code)).toBe('overloaded');
    service.intercept = () => Promise.reject(new TypeError('no network'));
    expect(await languageOf('de')).toBe('en');
    service.intercept = intercept;
    expect(await languageOf('de')).toBe('de');
  });
});
