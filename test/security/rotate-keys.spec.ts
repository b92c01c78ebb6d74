import { randomBytes, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type Answer, aNewSecret, Authenticator, decodeToken } from '@app/testing';
import { ClientAt } from '../support/clients';
import { sql } from '../support/databases';
import {
  aBlob,
  type Account,
  aCiphertext,
  aDose,
  aHealthStat,
  aMedication,
  anAccount,
  aProfile,
} from '../support/factories';
import { startService, type TestService } from '../support/service';

const ORIGIN = 'https://records.example.org';

let service: TestService;
let account: Account;
let profileId: string;
beforeAll(async () => {
  service = await startService({ WEB_ORIGIN: ORIGIN });
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await anAccount(service.api);
  profileId = await aProfile(service.api, account.token, { name_data: aBlob(), name_iv: aCiphertext(9) });
});

const client = () => new ClientAt(service.api.url);
const as = ({ token }: Pick<Account, 'token'>) => ({ token });
/** The order of members and blanks of before must come back. */
const rawBlob = () => `{ "iv":"${aCiphertext(9)}",  "ciphertext" : "\\u0041${aCiphertext()}", "n": 1.50 }`;

async function profilesOf(owner: Account): Promise<Record<string, any>[]> {
  return (await client().get('/api/profiles', as(owner))).body;
}

/** The body of a rotation of what is stored now. */
async function aRotation(owner: Account, changes: object = {}) {
  const secret = aNewSecret();
  return {
    current_password: owner.password,
    new_password: secret.new_password,
    new_wrapped_dek: aCiphertext(),
    new_wrapped_dek_iv: aCiphertext(9),
    recovery_proof: aCiphertext(24),
    recovery_wrapped_dek: aCiphertext(),
    recovery_wrapped_dek_iv: aCiphertext(9),
    trust_book: { encrypted_data: aBlob() },
    profiles: (await profilesOf(owner)).map(({ profile_id, revision }) => ({
      profile_id,
      revision,
      wrapped_profile_dek: aCiphertext(),
      wrapped_profile_dek_iv: aCiphertext(9),
      name_data: aBlob(),
      name_iv: aCiphertext(9),
    })),
    end_passkeys: false,
    ...changes,
  };
}
const someKeys = (): Record<string, string> => ({
  sharing_public: randomBytes(1216).toString('base64'),
  signing_public: randomBytes(32).toString('base64'),
  wrapped: randomBytes(80).toString('base64'),
  wrapped_iv: randomBytes(12).toString('base64'),
});
const rotate = (owner: Account, body: object) => client().post('/api/users/me/rotate-keys', body, as(owner));
const reseal = (owner: Pick<Account, 'token'>, kind: string, records: object[]) =>
  client().post('/api/reseal', { kind, records }, as(owner));

function expectRefused({ status, body }: Answer, expected: number, code: string): void {
  expect([status, body.code]).toEqual([expected, code]);
}

const idOf = ({ token }: Account) => String(decodeToken(token).payload.sub);
/** Every row of the account, so that "nothing has changed" is said of all of it. */
async function rowsOf(owner: Account): Promise<unknown[]> {
  const id = idOf(owner);
  const tables = [
    'accounts',
    'profiles',
    'trust_books',
    'passkeys',
    'sessions',
    'device_tokens',
    'account_keys',
  ];
  return Promise.all(
    tables.map((table) =>
      sql(
        service.databaseUrl,
        `SELECT * FROM ${table} WHERE ${table === 'accounts' ? 'id' : 'account_id'} = '${id}' ORDER BY 1, 2`,
      ),
    ),
  );
}

describe('the rotation of all keys', () => {
  it('replaces the keys by which others know the account, too: there must be some exactly where there are some', async () => {
    const keys = someKeys();
    const before = await rowsOf(account);
    expectRefused(await rotate(account, await aRotation(account, { keys })), 409, 'keys_changed');
    expect(await rowsOf(account)).toEqual(before);
    expect((await client().put('/api/users/me/keys', someKeys(), as(account))).status).toBe(201);
    const stored = await rowsOf(account);
    expectRefused(await rotate(account, await aRotation(account)), 409, 'keys_changed');
    const wrong = { keys: { ...keys, wrapped: randomBytes(79).toString('base64') } };
    expectRefused(await rotate(account, await aRotation(account, wrong)), 400, 'validation_failed');
    expect(await rowsOf(account)).toEqual(stored);
    const { status, body } = await rotate(account, await aRotation(account, { keys }));
    expect(status).toBe(200);
    expect((await client().get('/api/users/me/keys', { token: body.token })).body).toEqual(keys);
  });

  it('replaces the account key, the profiles, the password and the phrase, and ends all other sessions', async () => {
    const other = (
      await client().post('/api/auth/login', { email: account.email, password: account.password })
    ).body;
    await client().post('/api/auth/device-token', { current_password: account.password }, as(account));
    const body = await aRotation(account);
    const { status, body: answer } = await rotate(account, body);
    expect(status).toBe(200);
    expect(answer).toEqual({
      token: expect.any(String),
      refresh_token: expect.any(String),
      wrapped_dek: body.new_wrapped_dek,
      wrapped_dek_iv: body.new_wrapped_dek_iv,
    });
    for (const token of [account.token, other.token])
      expectRefused(await client().get('/api/users/me', { token }), 401, 'token_revoked');
    expect(await profilesOf({ ...account, ...answer })).toEqual(
      body.profiles.map(({ profile_id, revision, ...sealed }) =>
        expect.objectContaining({ profile_id, ...sealed, revision: revision + 1 }),
      ),
    );
    const { email } = account;
    const login = (password: string) => client().post('/api/auth/login', { email, password });
    expectRefused(await login(account.password), 401, 'invalid_credentials');
    expect((await login(body.new_password)).status).toBe(200);
    const info = await client().post('/api/auth/recovery-info', { email });
    expect(info.body.recovery_wrapped_dek).toBe(body.recovery_wrapped_dek);
    const verify = await client().post('/api/auth/recovery/verify', {
      email,
      recovery_proof: body.recovery_proof,
    });
    expect(verify.body).toEqual({ verified: true });
    expect((await client().get('/api/trust-book', as(answer))).body).toMatchObject({
      revision: 1,
      encrypted_data: body.trust_book.encrypted_data,
    });
    const events = (await client().get('/api/users/me/events', as(answer))).body;
    expect(events.map(({ kind }: { kind: string }) => kind)).toContain('keys_rotated');
    expect((await client().get('/api/users/me/device-tokens', as(answer))).body).toEqual([]);
  });

  it('returns what it stored to the byte', async () => {
    const body = await aRotation(account);
    const [name, book] = [rawBlob(), rawBlob()];
    const text = JSON.stringify({ ...body, trust_book: { encrypted_data: 'BOOK' } })
      .replace(JSON.stringify(body.profiles[0].name_data), name)
      .replace('"BOOK"', book);
    const answer = await fetch(`${service.api.url}/api/users/me/rotate-keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${account.token}` },
      body: text,
    });
    const pair = (await answer.json()) as { token: string };
    expect((await client().get(`/api/profiles/${profileId}`, pair)).text).toContain(name);
    expect((await client().get('/api/trust-book', pair)).text).toContain(book);
  });

  it.each([
    ['one profile too few', (list: object[]) => list.slice(1)],
    ['one that is not there', (list: object[]) => [...list, { ...list[0], profile_id: randomUUID() }]],
    ['one twice', (list: object[]) => [...list.slice(1), list[1]]],
    ['an older revision', ([first, ...rest]: any[]) => [{ ...first, revision: first.revision + 1 }, ...rest]],
  ])('attack 9: changes nothing for %s', async (_, changed) => {
    await aProfile(service.api, account.token);
    const body = await aRotation(account);
    const before = await rowsOf(account);
    expectRefused(await rotate(account, { ...body, profiles: changed(body.profiles) }), 409, 'keys_changed');
    expect(await rowsOf(account)).toEqual(before);
    expect((await rotate(account, body)).status).toBe(200);
  });

  it("refuses another account's profile", async () => {
    const stranger = await anAccount(service.api);
    await aProfile(service.api, stranger.token);
    const [theirs] = await profilesOf(stranger);
    const body = await aRotation(account);
    const [mine] = body.profiles;
    const stolen = { ...mine, profile_id: theirs.profile_id, revision: theirs.revision };
    expectRefused(await rotate(account, { ...body, profiles: [mine, stolen] }), 409, 'keys_changed');
    expectRefused(await rotate(account, { ...body, profiles: [stolen] }), 409, 'keys_changed');
    expect(await profilesOf(stranger)).toEqual([theirs]);
  });

  it('changes nothing for a wrong password, and for a trust book of another revision', async () => {
    const body = await aRotation(account);
    const before = await rowsOf(account);
    expectRefused(
      await rotate(account, { ...body, current_password: 'wrong' }),
      403,
      'current_password_wrong',
    );
    const trust_book = { revision: 7, encrypted_data: aBlob() };
    expectRefused(await rotate(account, { ...body, trust_book }), 409, 'keys_changed');
    expect(await rowsOf(account)).toEqual(before);
  });

  it('attack 9: changes nothing where any of its statements fails', async () => {
    const body = await aRotation(account);
    const before = await rowsOf(account);
    const database = new Client({ connectionString: service.databaseUrl });
    await database.connect();
    await database.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'planned'; END $$`);
    try {
      const steps = [
        ['accounts', 'UPDATE'],
        ['profiles', 'UPDATE'],
        ['trust_books', 'INSERT'],
        ['passkeys', 'UPDATE'],
        ['device_tokens', 'DELETE'],
        ['security_events', 'INSERT'],
        ['sessions', 'DELETE'],
        ['sessions', 'INSERT'],
      ];
      for (const [table, action] of steps) {
        await database.query(
          `CREATE TRIGGER refuse BEFORE ${action} ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse()`,
        );
        const { status } = await rotate(account, body);
        await database.query(`DROP TRIGGER refuse ON ${table}`);
        expect([table, action, status]).toEqual([table, action, 500]);
        expect(await rowsOf(account)).toEqual(before);
      }
      expect((await rotate(account, body)).status).toBe(200);
    } finally {
      await database.query('DROP FUNCTION refuse() CASCADE');
      await database.end();
    }
  });

  it('happens once of many at the same time', async () => {
    const bodies = await Promise.all(Array.from({ length: 6 }, () => aRotation(account)));
    const answers = await Promise.all(bodies.map((body) => rotate(account, body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const won = bodies[answers.findIndex(({ status }) => status === 200)];
    const { token } = answers.find(({ status }) => status === 200)!.body;
    const [stored] = await profilesOf({ ...account, token });
    expect(stored.wrapped_profile_dek).toBe(won.profiles[0].wrapped_profile_dek);
    for (const { status } of answers) expect([200, 401, 403, 429]).toContain(status);
  });

  it.each([
    ['no list', { profiles: {} }, 'profiles'],
    ['a text in the list', { profiles: ['x'] }, 'profiles'],
    [
      'a part without its blob',
      { profiles: [{ profile_id: randomUUID(), revision: 1 }] },
      'profiles.0.name_data',
    ],
    ['a field too many', { trust_book: { encrypted_data: aBlob(), more: 1 } }, 'trust_book.more'],
    [
      'a revision that is none',
      { trust_book: { encrypted_data: aBlob(), revision: '1' } },
      'trust_book.revision',
    ],
    ['no trust book', { trust_book: undefined }, 'trust_book'],
  ])('refuses %s by its name', async (_, changes, field) => {
    const answer = await rotate(account, await aRotation(account, changes));
    expectRefused(answer, 400, 'validation_failed');
    expect(answer.body.details.map((each: { field: string }) => each.field)).toContain(field);
  });

  it('takes 4 MiB of profiles, and no more', async () => {
    const body = await aRotation(account);
    const many = (bytes: number) =>
      Array.from({ length: bytes / 200_000 }, () => ({
        ...body.profiles[0],
        profile_id: randomUUID(),
        name_data: { ciphertext: 'a'.repeat(200_000) },
      }));
    expectRefused(await rotate(account, { ...body, profiles: many(3_800_000) }), 409, 'keys_changed');
    expectRefused(await rotate(account, { ...body, profiles: many(4_400_000) }), 413, 'payload_too_large');
  });
});

describe('passkeys and the second step after a rotation', () => {
  async function addPasskey(): Promise<void> {
    const phone = new Authenticator(ORIGIN);
    const step = { current_password: account.password };
    const { ticket, options } = (await client().post('/api/passkeys/options', step, as(account))).body;
    const wrap = { wrapped_dek: aCiphertext(), wrapped_dek_iv: aCiphertext(9), account_key_id: 'first' };
    const body = { ticket, response: phone.create(options), label: 'Phone', ...wrap };
    expect((await client().post('/api/passkeys', body, as(account))).status).toBe(201);
  }

  it('keeps passkeys for signing in, without their wraps', async () => {
    await addPasskey();
    const { body: answer } = await rotate(account, await aRotation(account));
    expect((await client().get('/api/passkeys', as(answer))).body).toEqual([
      expect.objectContaining({ label: 'Phone', wrapped_dek: null, account_key_id: null }),
    ]);
  });

  it('ends all of them after a theft, and the second step with them', async () => {
    await addPasskey();
    const step = { current_password: account.password, required: true };
    expect((await client().put('/api/users/me/second-step', step, as(account))).status).toBe(200);
    const body = await aRotation(account, { end_passkeys: true });
    const { body: answer } = await rotate(account, body);
    expect((await client().get('/api/passkeys', as(answer))).body).toEqual([]);
    const login = { email: account.email, password: body.new_password };
    expect((await client().post('/api/auth/login', login)).status).toBe(200);
  });
});

describe('the trust book', () => {
  const NONE = { revision: 0, encrypted_data: '', updated_at: null };

  it('is written once, then by its revision', async () => {
    expect((await client().get('/api/trust-book', as(account))).body).toEqual(NONE);
    const put = (body: object) => client().put('/api/trust-book', body, as(account));
    const first = { encrypted_data: aBlob() };
    expect((await put(first)).body).toMatchObject({ revision: 1, ...first });
    expectRefused(await put(first), 412, 'revision_mismatch');
    const second = { encrypted_data: aBlob() };
    expectRefused(await put({ revision: 2, ...second }), 412, 'revision_mismatch');
    expect((await put({ revision: 1, ...second })).body).toMatchObject({ revision: 2, ...second });
    expect((await client().get('/api/trust-book', as(account))).body).toMatchObject({
      revision: 2,
      ...second,
    });
    const stranger = await anAccount(service.api);
    expect((await client().get('/api/trust-book', as(stranger))).body).toEqual(NONE);
  });

  it('is no larger than 64 KiB', async () => {
    const put = (bytes: number) =>
      client().put('/api/trust-book', { encrypted_data: 'a'.repeat(bytes) }, as(account));
    expectRefused(await put(64 * 1024), 413, 'payload_too_large');
    expect((await put(64 * 1024 - 2)).status).toBe(200);
  });

  it('is not written by a session that has ended', async () => {
    const { body: pair } = await client().post('/api/auth/login', {
      email: account.email,
      password: account.password,
    });
    await client().post('/api/auth/logout', { refresh_token: pair.refresh_token });
    const answer = await client().put('/api/trust-book', { encrypted_data: aBlob() }, as(pair));
    expectRefused(answer, 401, 'token_revoked');
    expect((await client().get('/api/trust-book', as(account))).body).toEqual(NONE);
  });
});

describe('records that are sealed anew', () => {
  it('replaces those with the revision, and leaves out the others', async () => {
    const [first, second] = [
      await aMedication(service.api, account.token, profileId),
      await aMedication(service.api, account.token, profileId),
    ];
    const sent = [first, second].map(({ id }) => ({ id, revision: 1, encrypted_data: aBlob() }));
    const { body } = await reseal(account, 'medication', [
      sent[0],
      { ...sent[1], revision: 2 },
      { ...sent[1], id: randomUUID() },
    ]);
    expect(body).toEqual({ resealed: [first.id] });
    const [one, two] = await Promise.all(
      [first, second].map(async ({ id }) => (await client().get(`/api/medications/${id}`, as(account))).body),
    );
    expect(one).toMatchObject({ revision: 2, encrypted_data: sent[0].encrypted_data, route: 'oral' });
    expect(two).toEqual(second);
    const { changes } = (await client().get('/api/sync', as(account))).body;
    expect(changes.at(-1)).toMatchObject({ kind: 'medication', id: first.id, record: { revision: 2 } });
    expect((await reseal(account, 'medication', [sent[0]])).body).toEqual({ resealed: [] });
  });

  it('returns them to the byte', async () => {
    const { id } = await aHealthStat(service.api, account.token, profileId);
    const blob = rawBlob();
    const text = `{"kind":"health_stat","records":[ {"id":"${id}","revision":1,"encrypted_data":${blob}} ]}`;
    const answer = await fetch(`${service.api.url}/api/reseal`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${account.token}` },
      body: text,
    });
    expect(await answer.json()).toEqual({ resealed: [id] });
    expect((await client().get(`/api/health-stats/${id}`, as(account))).text).toContain(blob);
  });

  it('replaces the proofs of doses that still have the former one', async () => {
    const { id: medication } = await aMedication(service.api, account.token, profileId);
    const { id } = await aDose(service.api, account.token, medication, { proof: 'former' });
    const anew = (former_proof: string, proof: string) =>
      reseal(account, 'dose', [{ id, former_proof, proof }]);
    expect((await anew('other', 'new')).body).toEqual({ resealed: [] });
    expect((await anew('former', 'new')).body).toEqual({ resealed: [id] });
    const [dose] = (await client().get(`/api/medications/${medication}/log`, as(account))).body;
    expect(dose.proof).toBe('new');
    const { changes } = (await client().get('/api/sync', as(account))).body;
    expect(changes.at(-1)).toMatchObject({ kind: 'dose', record: { proof: 'new' } });
  });

  it("never touches another account's records", async () => {
    const stranger = await anAccount(service.api);
    const profile = await aProfile(service.api, stranger.token);
    const theirs = await aMedication(service.api, stranger.token, profile);
    const { id } = await aDose(service.api, stranger.token, theirs.id, { proof: 'former' });
    const sealed = { id: theirs.id, revision: 1, encrypted_data: aBlob() };
    expect((await reseal(account, 'medication', [sealed])).body).toEqual({ resealed: [] });
    const dose = { id, former_proof: 'former', proof: 'new' };
    expect((await reseal(account, 'dose', [dose])).body).toEqual({ resealed: [] });
  });

  it('does not let an account grow beyond its quota', async () => {
    const { id } = await aMedication(service.api, account.token, profileId);
    await sql(
      service.databaseUrl,
      `UPDATE account_usage SET bytes = 1e15 WHERE account_id = '${idOf(account)}'`,
    );
    const larger = { id, revision: 1, encrypted_data: aBlob(4096) };
    expect((await reseal(account, 'medication', [larger])).body).toEqual({ resealed: [] });
    const same = { id, revision: 1, encrypted_data: aBlob() };
    expect((await reseal(account, 'medication', [same])).body).toEqual({ resealed: [id] });
  });

  it.each([
    ['a kind that is none', 'teapot', [], 'kind'],
    ['profiles, which have keys of their own', 'profile', [], 'kind'],
    [
      'a record without a revision',
      'medication',
      [{ id: randomUUID(), encrypted_data: 'x' }],
      'records.0.revision',
    ],
    ['a dose without a proof', 'dose', [{ id: randomUUID(), former_proof: 'x' }], 'records.0.proof'],
    [
      'too many',
      'dose',
      Array.from({ length: 201 }, () => ({ id: randomUUID(), former_proof: 'x', proof: 'y' })),
      'records',
    ],
  ])('refuses %s', async (_, kind, records, field) => {
    const answer = await reseal(account, kind, records);
    expectRefused(answer, 400, 'validation_failed');
    expect(answer.body.details[0].field).toBe(field);
  });

  it('refuses a dead session', async () => {
    await client().post('/api/auth/logout-all', {}, as(account));
    expectRefused(await reseal(account, 'medication', []), 401, 'token_revoked');
  });
});
