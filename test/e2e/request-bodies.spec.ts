import { gzipSync } from 'node:zlib';
import { Api, expectFailure } from '@app/testing';
import { aCiphertext } from '../support/factories';
import { aHousehold, type Household } from '../support/record-kinds';
import { type SharedService, sharedService } from '../support/service';

const MIB = 1024 * 1024;

/** JSON that nests this deep. */
const nested = (levels: number) => '{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1);
const nestedList = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('the body of a request', () => {
  let service: SharedService;
  let household: Household;
  beforeAll(async () => {
    service = await sharedService();
    household = await aHousehold(service.api);
  });

  const post = (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
    service.api.post(path, body, { token: household.token, headers });
  const postProfile = (body: string | Buffer, type?: string) =>
    post('/api/profiles', body, type === undefined ? {} : { 'Content-Type': type });
  const aProfileBody = () => `{"wrapped_profile_dek":"${aCiphertext()}"}`;

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;charset=UTF-8',
  ])('is read as %s', async (type) => expect((await postProfile(aProfileBody(), type)).status).toBe(201));

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/merge-patch+json',
    'application/jsonp',
    'text/json',
    'json',
    '*/*',
    '',
  ])('is refused as %j', async (type) => {
    expectFailure(await postProfile(aProfileBody(), type), 'unsupported_media_type');
  });

  it.each([
    ['unfinished', '{"a":'],
    ['with a comma too many', '{"a":1,}'],
    ['with single quotes', "{'a':1}"],
    ['with a comment', '{"a":1 /* x */}'],
    ['with a bare name', '{a:1}'],
    ['with NaN', '{"a":NaN}'],
    ['with a leading zero', '{"a":01}'],
    ['with a raw line break in a string', '{"a":"x\ny"}'],
    ['with a raw NUL', '{"a":"x\0y"}'],
    ['two values', '{}{}'],
    ['a form', 'a=1&b=2'],
    ['only blanks', '  \n'],
    ['behind a byte-order mark', '\ufeff{}'],
    ['with a no-break space between', '{\u00a0}'],
  ])('is refused where it is no JSON: %s', async (_, body) => {
    expectFailure(await postProfile(body), 'malformed_json');
  });

  it.each([
    ['a stray byte', Buffer.from([0xff])],
    ['an overlong form', Buffer.from([0xc0, 0xaf])],
    ['a surrogate', Buffer.from([0xed, 0xa0, 0x80])],
    ['a cut sequence', Buffer.from([0xe2, 0x82])],
    ['beyond Unicode', Buffer.from([0xf4, 0x90, 0x80, 0x80])],
    ['Latin-1', Buffer.from('é', 'latin1')],
  ])('is refused where it is not UTF-8: %s', async (_, bytes) => {
    for (const field of ['route', 'encrypted_data', 'unknown']) {
      const body = Buffer.concat([Buffer.from(`{"${field}":"a`), bytes, Buffer.from('"}')]);
      const answer = await post('/api/medications', body);
      expectFailure(answer, 'malformed_json');
      expect(answer.body.error).toMatch(/UTF-8/);
    }
  });

  it('is refused as UTF-16 and as gzip', async () => {
    expectFailure(await postProfile(Buffer.from(aProfileBody(), 'utf16le')), 'malformed_json');
    expectFailure(await postProfile(gzipSync(aProfileBody())), 'malformed_json');
  });

  it.each(['[]', '[{}]', '"x"', '5', 'true', 'null'])(
    'is refused where it is no object: %s',
    async (body) => {
      expectFailure(await postProfile(body), 'validation_failed', 'body');
      expectFailure(await post('/api/auth/login', body), 'validation_failed', 'body');
    },
  );

  it('is refused where it gives a field twice, however it is written', async () => {
    const { medicationId, profileId } = household;
    const twice = [
      ['{"route":"a","route":"a"}', 'route'],
      ['{"route":"a","\\u0072oute":"b"}', 'route'],
      ['{"encrypted_data":"a", "x":{"route":1} ,"encrypted_data":{"b":1}}', 'encrypted_data'],
      [`{"profile_id":"${profileId}","route":"x","profile_id":"${profileId}"}`, 'profile_id'],
      ['{"dose_schedule":{"times_per_day":1,"times_per_day":3}}', 'dose_schedule'],
    ];
    for (const [body, field] of twice)
      expectFailure(await post(`/api/medications/${medicationId}`, body), 'validation_failed', field);
    const { body } = await service.api.get(`/api/medications/${medicationId}`, { token: household.token });
    expect(body).toMatchObject({ route: 'oral', revision: 1 });
  });

  it.each([
    ['an object in a blob', nested(63), nested(64)],
    ['a list in a blob', `{"a":${nestedList(62)}}`, `{"a":${nestedList(63)}}`],
  ])('nests 64 levels deep, itself included, and no deeper: %s', async (_, deepest, tooDeep) => {
    const body = (blob: string) =>
      `{"profile_id":"${household.profileId}","encrypted_data":${blob},"route":"x"}`;
    expect((await post('/api/medications', body(deepest))).status).toBe(201);
    const refused = await post('/api/medications', body(tooDeep));
    expectFailure(refused, 'malformed_json');
    expect(refused.body.error).toMatch(/64/);
  });

  it('is refused for its depth before anything walks into it', async () => {
    for (const body of [nested(100_000), nestedList(400_000), `{"x":${nestedList(65)}}`, nestedList(65)]) {
      expectFailure(await postProfile(body), 'malformed_json');
    }
    expectFailure(
      await postProfile(`{"x":${nestedList(63)}}`),
      'validation_failed',
      'wrapped_profile_dek',
      'x',
    );
  });

  it('does not count brackets in strings as depth', async () => {
    const blob = JSON.stringify('{['.repeat(1000));
    const body = `{"profile_id":"${household.profileId}","encrypted_data":${blob},"route":"x"}`;
    expect((await post('/api/medications', body)).status).toBe(201);
  });

  it('may be 1 MiB, and no more', async () => {
    const body = aProfileBody();
    expect((await postProfile(body + ' '.repeat(MIB - body.length))).status).toBe(201);
    expectFailure(await postProfile(body + ' '.repeat(MIB - body.length + 1)), 'payload_too_large');
    // On a connection of its own: the service answers first, and closes it when too much has come.
    const other = new Api(service.api.url.replace('127.0.0.1', 'localhost'));
    const answer = await other.post('/api/profiles', 'x'.repeat(3 * MIB), { token: household.token });
    expectFailure(answer, 'payload_too_large');
  });

  it.each(['wrapped_profile_dek', 'wrapped_profile_dek_iv', 'name_iv'])(
    'holds 4 KiB in %s, and no more, counted in bytes',
    async (field) => {
      const body = (value: string) => JSON.stringify({ wrapped_profile_dek: 'x', [field]: value });
      for (const value of ['x'.repeat(4096), '\u00e9'.repeat(2048)]) {
        expect((await postProfile(body(value))).body[field]).toBe(value);
        const answer = await postProfile(body(`${value}x`));
        expectFailure(answer, 'payload_too_large', field);
        expect(answer.body.error).toBe(`${field} must be at most 4096 bytes.`);
      }
    },
  );

  it('is 400 and not 413 where it breaks another rule as well', async () => {
    const answer = await postProfile(
      JSON.stringify({ wrapped_profile_dek: 'x'.repeat(4097), kind: 'plant' }),
    );
    expectFailure(answer, 'validation_failed', 'wrapped_profile_dek', 'kind');
  });

  describe.each([
    ['NUL', '\\u0000'],
    ['a lone surrogate', '\\ud800'],
    ['a lone surrogate of the other half', '\\udc00'],
    ['surrogates in the wrong order', '\\udc00\\ud800'],
  ])('with %s', (_, escape) => {
    it.each([
      ['/api/profiles', '"wrapped_profile_dek":"a%"', 'wrapped_profile_dek'],
      ['/api/profiles', '"wrapped_profile_dek":"a","relationship":"%"', 'relationship'],
      ['/api/profiles', '"wrapped_profile_dek":"a","name_iv":"%"', 'name_iv'],
      ['/api/medications', '"route":"a%"', 'route'],
      ['/api/medications', '"dose_schedule":{"times_per_day":1,"days_of_week":["%"]}', 'dose_schedule'],
      ['/api/medications', '"dose_schedule":{"%":1}', 'dose_schedule'],
      ['/api/appointments', '"status":"%"', 'status'],
      ['/api/interactions/check', '"medications":["warfarin","%"]', 'medications'],
      ['/api/interactions/check-new', '"name":"%","dosage":""', 'name'],
      ['/api/auth/login', '"email":"a%@b","password":"x"', 'email'],
      ['/api/auth/login', '"email":"a@b","password":"%"', 'password'],
    ])('is refused outside of a blob: %s {%s}', async (path, fields, field) => {
      const answer = await post(path, `{${fields.replace('%', escape)}}`);
      expectFailure(answer, 'validation_failed', field);
    });

    it('is kept inside of a blob', async () => {
      for (const blob of [`"${escape}"`, `{"${escape}":"${escape}"}`]) {
        const body = `{"profile_id":"${household.profileId}","route":"x","encrypted_data":${blob}}`;
        const { status, text } = await post('/api/medications', body);
        expect(status).toBe(201);
        expect(text).toContain(`"encrypted_data":${blob},`);
      }
    });

    it('is refused in the name of a field', async () => {
      expectFailure(await postProfile(`{"wrapped_profile_dek":"x","a${escape}":1}`), 'validation_failed');
    });
  });
});
