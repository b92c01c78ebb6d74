import fc from 'fast-check';
import type { Answer } from '../support/api';
import { sql } from '../support/databases';
import { anAccount, aProfile, aRegistration } from '../support/factories';
import { expectFailure } from '../support/failures';
import { blobText, jsonBlank } from '../support/json-text';
import { aHousehold, type Household } from '../support/record-kinds';
import { startService, type TestService } from '../support/service';

const KIB = 1024;

type Owner = Pick<Household, 'token' | 'profileId'>;

/** Where a blob can be kept: how to create and update a record with it, as source text. */
const PLACES = [
  {
    name: 'the name of a profile',
    path: '/api/profiles',
    field: 'name_data',
    others: () => '"wrapped_profile_dek":"x"',
    method: 'PUT',
    idField: 'profile_id',
  },
  {
    name: 'a medication',
    path: '/api/medications',
    field: 'encrypted_data',
    others: ({ profileId }: Owner) => `"profile_id":"${profileId}","route":"oral"`,
    method: 'POST',
    idField: 'id',
  },
  {
    name: 'an appointment',
    path: '/api/appointments',
    field: 'encrypted_data',
    others: ({ profileId }: Owner) => `"profile_id":"${profileId}","status":"scheduled"`,
    method: 'POST',
    idField: 'id',
  },
  {
    name: 'a health statistic',
    path: '/api/health-stats',
    field: 'encrypted_data',
    others: ({ profileId }: Owner) => `"profile_id":"${profileId}"`,
    method: 'PUT',
    idField: 'id',
  },
] as const;
type Place = (typeof PLACES)[number];

const BLOBS = [
  '"cGxhaW4gYmFzZTY0"',
  '{"ciphertext":"AAAA","iv":"BBBB"}',
  '{"n":1.50}',
  '{"n":1e400,"m":-0,"k":0.1000000000000000055511151231257827,"l":123456789012345678901234567890}',
  '{"2":"b","10":"c","1":"a","a":0,"0":"z"}',
  '{"a":1,"a":2,"a":{"b":1,"b":2}}',
  '{"__proto__":{"x":1},"constructor":1,"toJSON":"x","text":"y"}',
  '"\\u0000"',
  '{"\\u0000":"a\\u0000b"}',
  '"\\ud800"',
  '{"\\udfff":"\\ud83d","x":"\\udc36\\ud83d"}',
  '{ "a" : [ 1 , 2 ]\n,\t"b"\r\n:{ } }',
  '"\\/\\u0041\\u00e9\\b\\f\\n\\r\\t\\\\\\""',
  '"\u007f\u0080\u2028\u2029\ufeff\uffff\u{1f468}\u200d\u{1f469}\u{10ffff}"',
  '{"quotes":"\\\\\\"}],{","encrypted_data":{"encrypted_data":"x"}}',
  '{"deep":[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]}',
  '{"":""}',
];

describe('an opaque value', () => {
  let service: TestService;
  let household: Owner;
  beforeAll(async () => {
    service = await startService();
    household = await aHousehold(service.api);
  });
  afterAll(() => service.stop());

  const options = () => ({ token: household.token });
  const create = (place: Place, blob: string, { blank = '', under = household } = {}) => {
    const blobField = `${blank}"${place.field}"${blank}:${blank}${blob}${blank}`;
    return service.api.post(place.path, `{${blobField},${place.others(under)}}`, { token: under.token });
  };
  const update = (place: Place, id: string, blob: string) =>
    service.api.call(place.method, `${place.path}/${id}`, `{"${place.field}":${blob}}`, options());

  /** The source text of the field in an answer that is one record. */
  const expectBlob = ({ status, text }: Answer, place: Place, blob: string, expected: number) => {
    expect(status).toBe(expected);
    const label = `"${place.field}":`;
    const value = text.slice(text.indexOf(label) + label.length);
    expect(value.slice(0, blob.length)).toBe(blob);
    expect(value.charAt(blob.length)).toMatch(/[,}]/);
    expect(() => JSON.parse(text)).not.toThrow();
  };

  /** Through create, item, update and item again; returns the text of the item. */
  const roundTrip = async (place: Place, blob: string, blank?: string): Promise<string> => {
    const created = await create(place, blob, { blank });
    expectBlob(created, place, blob, 201);
    const id = created.body[place.idField] as string;
    const path = `${place.path}/${id}`;
    expect((await service.api.get(path, options())).text).toBe(created.text);
    await update(place, id, '"between"');
    const updated = await update(place, id, blob);
    expectBlob(updated, place, blob, 200);
    const read = await service.api.get(path, options());
    expect(read.text).toBe(updated.text);
    return read.text;
  };

  describe.each(PLACES)('in $name', (place) => {
    it.each(BLOBS)('is returned to the byte: %j', async (blob) => {
      await roundTrip(place, blob);
    });

    it.each([1, 2, 40])('is returned to the byte in a list of %i', async (count) => {
      const { token } = await anAccount(service.api);
      const isProfile = place.path === '/api/profiles';
      const profileId = isProfile ? '' : await aProfile(service.api, token);
      const items: string[] = [];
      for (let index = 0; index < count; index++)
        items.push((await create(place, BLOBS[index % BLOBS.length], { under: { token, profileId } })).text);
      if (!isProfile) items.reverse();
      expect((await service.api.get(place.path, { token })).text).toBe(`[${items.join(',')}]`);
    });

    it('is returned to the byte, whatever JSON it is and however it is written', async () => {
      await fc.assert(
        fc.asyncProperty(blobText, jsonBlank, async (blob, blank) => {
          await roundTrip(place, blob, blank);
        }),
        { numRuns: 60 },
      );
    });

    it.each(['""', '{}', '{ \n }', '[]', '["x"]', 'null', '1.50', '1e400', 'true', '0'])(
      'is not %s',
      async (blob) => {
        const isName = place.field === 'name_data' && blob === '""';
        const created = await create(place, blob);
        if (isName) return expect(created.status).toBe(201);
        expectFailure(created, 'validation_failed', place.field);
        const { body } = await create(place, '"x"');
        const id = body[place.idField] as string;
        expectFailure(await update(place, id, blob), 'validation_failed', place.field);
        return expect((await service.api.get(`${place.path}/${id}`, options())).body).toEqual(body);
      },
    );

    it.each([
      ['a string', (bytes: number) => `"${'A'.repeat(bytes - 2)}"`],
      ['an object', (bytes: number) => `{"c":"${'A'.repeat(bytes - 8)}"}`],
      [
        'characters of three bytes',
        (bytes: number) => `"${'\u20ac'.repeat(Math.floor((bytes - 2) / 3))}${'A'.repeat((bytes - 2) % 3)}"`,
      ],
      ['escapes', (bytes: number) => `"${'\\n'.repeat((bytes - 2) / 2)}${'A'.repeat(bytes % 2)}"`],
      ['blanks', (bytes: number) => `{"c":1${' '.repeat(bytes - 7)}}`],
    ])('holds 256 KiB and not a byte more: %s', async (_, blobOf) => {
      const blob = blobOf(256 * KIB);
      expect(Buffer.byteLength(blob)).toBe(256 * KIB);
      const created = await create(place, blob);
      expectBlob(created, place, blob, 201);
      const id = created.body[place.idField] as string;
      expect((await service.api.get(`${place.path}/${id}`, options())).text).toBe(created.text);
      const over = blobOf(256 * KIB + (blob.includes('\\n') ? 2 : 1));
      for (const answer of [await create(place, over), await update(place, id, over)]) {
        expectFailure(answer, 'payload_too_large', place.field);
        expect(answer.body.error).toBe(`${place.field} must be at most 262144 bytes.`);
      }
    });
  });

  it.each(BLOBS)(
    'is returned to the byte as the name of the profile that registering makes: %j',
    async (blob) => {
      const registration = JSON.stringify(aRegistration({ default_profile_wrapped_dek: 'x' }));
      const body = `${registration.slice(0, -1)},"default_profile_name_data":${blob}}`;
      const { status, body: tokens } = await service.api.post('/api/auth/register', body);
      expect(status).toBe(201);
      const { text } = await service.api.get('/api/profiles', { token: tokens.token });
      expect(text).toContain(`"name_data":${blob},"`);
    },
  );

  it.each([' leading', 'trailing ', 'a"b\\c', '\u{1f511}', 'é', 'e\u0301', '\t\n', '=', '{"not":"parsed"}'])(
    'that is a wrapped key or an IV is returned as it is: %j',
    async (key) => {
      const sent = { wrapped_profile_dek: key, wrapped_profile_dek_iv: key, name_iv: key };
      const { body } = await service.api.post('/api/profiles', sent, options());
      expect(body).toMatchObject(sent);
      const read = await service.api.get(`/api/profiles/${body.profile_id}`, options());
      expect(read.body).toEqual(body);
    },
  );

  it('is kept as the text that was sent', async () => {
    const blob = '{ "2":1.50, "1":"\\u0000" }';
    const { body } = await create(PLACES[3], blob);
    const [row] = await sql(service.databaseUrl, 'SELECT encrypted_data FROM health_stats WHERE id = $1', [
      body.id,
    ]);
    expect(row).toEqual({ encrypted_data: blob });
  });
});
