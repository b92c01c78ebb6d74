import { createDataSource, describeTables, findSchemaFaults, recountOf } from '@app/database';
import { composeService } from '../../apps/api/src/domains';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { aBlob, anAccount, aProfile } from '../support/factories';
import { Clock } from '@app/common';
import { ALLERGIES } from '../support/allergies/allergies.domain';
import { AllergiesService } from '../support/allergies/allergies.service';
import { type ServiceHere, startServiceHere } from '../support/service-here';
import { touchedBy } from '../operation/statements';

const ORIGIN = 'https://clinic.example.org';
const RESERVED = {
  ALLERGIES_PER_PROFILE: '3',
  ALLERGY_FEED_TOKEN: 'a token of a feed',
  CORS_ORIGINS: ORIGIN,
};

/** Bytes that JSON.parse and JSON.stringify would change. */
const REACTION = '{ "2":1.50, "1":"\\u0000\\ud800", "1":1e400 }';

const usageOf = (url: string) =>
  sql<{ records: string; bytes: string }>(url, 'SELECT records, bytes FROM account_usage WHERE records > 0');

describe.each([0, 4])('a module from outside, on %i partitions', (partitions) => {
  let service: ServiceHere;
  let token: string;
  let profile_id: string;
  let databaseUrl: string;
  beforeAll(async () => {
    databaseUrl = await createDatabase(false);
    const environment = { DATABASE_URL: databaseUrl, DATABASE_PARTITIONS: String(partitions), ...RESERVED };
    service = await startServiceHere(environment, undefined, ALLERGIES);
  });
  afterAll(async () => {
    await service.stop();
    await dropDatabase(databaseUrl);
  });
  beforeEach(async () => {
    ({ token } = await anAccount(service.api));
    profile_id = await aProfile(service.api, token);
  });
  afterEach(() => sql(databaseUrl, 'DELETE FROM accounts; DELETE FROM logins'));

  const create = (overrides: object = {}) =>
    service.api.post(
      '/api/allergies',
      { profile_id, status: 'active', encrypted_data: aBlob(), ...overrides },
      { token },
    );

  it('has its routes, closed by default, and in the documentation', async () => {
    expect((await service.api.get('/api/allergies')).body.code).toBe('token_missing');
    const { paths } = (await service.api.get('/api/openapi.json')).body;
    expect(Object.keys(paths['/api/allergies'])).toEqual(['get', 'post']);
    expect(paths['/api/allergies'].get.security).toEqual([{ bearer: [] }]);
    expect((await create()).status).toBe(201);
  });

  it('has its own headers for pages of other origins, beside those of the service', async () => {
    const preflight = { origin: ORIGIN, 'access-control-request-method': 'POST' };
    const { headers } = await service.api.call('OPTIONS', '/api/allergies', undefined, {
      headers: preflight,
    });
    expect(headers.get('access-control-allow-headers')).toMatch(/^Authorization, .*, X-Clinic$/);
    const answer = await service.api.get('/api/allergies', { headers: { origin: ORIGIN } });
    expect(answer.headers.get('access-control-expose-headers')).toMatch(/^ETag, .*, X-Clinic-Round$/);
  });

  it('injects the clock of the service', () => {
    const clock = service.app.get(Clock, { strict: false });
    expect(service.app.get(AllergiesService, { strict: false }).clock).toBe(clock);
  });

  it('keeps opaque values to the byte, by the fields of its own request class', async () => {
    const body = `{"profile_id":"${profile_id}","status":"active","encrypted_data":{"b":1.0},"reaction_data":${REACTION}}`;
    const created = await service.api.post('/api/allergies', body, { token });
    expect(created.status).toBe(201);
    const read = await service.api.get(`/api/allergies/${created.body.id}`, { token });
    expect(read.text).toContain(`"encrypted_data":{"b":1.0},"reaction_data":${REACTION},`);
    // A field of that name elsewhere is a field like any other.
    const elsewhere = await service.api.post('/api/medications', `{"reaction_data":${REACTION}}`, { token });
    expect(elsewhere.body.details[0].message).toBe('reaction_data must not contain a name twice');
  });

  it('keeps its records from other accounts', async () => {
    const { id } = (await create()).body;
    const { token: other } = await anAccount(service.api);
    expect((await service.api.get(`/api/allergies/${id}`, { token: other })).status).toBe(404);
    expect((await service.api.delete(`/api/allergies/${id}`, undefined, { token: other })).status).toBe(404);
    expect((await service.api.get('/api/allergies', { token: other })).body).toEqual([]);
    expect((await create({ profile_id: await aProfile(service.api, other) })).status).toBe(404);
  });

  it('has its records and their bytes counted, also through changes and cascades', async () => {
    const [before] = await usageOf(databaseUrl);
    const { id } = (await create({ encrypted_data: 'x'.repeat(98) })).body;
    await create({ encrypted_data: 'x'.repeat(98) });
    const path = `/api/allergies/${id}`;
    expect(
      (await service.api.put(path, { reaction_data: 'x'.repeat(48) }, { token })).body.reaction_data,
    ).toHaveLength(48);
    const [after] = await usageOf(databaseUrl);
    expect(Number(after.records) - Number(before.records)).toBe(2);
    expect(Number(after.bytes) - Number(before.bytes)).toBe(250);
    const recount = recountOf(describeTables(composeService(ALLERGIES).schema.entities));
    const [{ records, bytes }] = await sql<{ records: string; bytes: string }>(databaseUrl, recount);
    expect({ records, bytes }).toEqual(after);
    await service.api.delete(path, undefined, { token });
    await service.api.delete(`/api/profiles/${profile_id}`, undefined, { token });
    expect(await usageOf(databaseUrl)).toEqual([]);
  });

  it('leaves nothing when the account is erased', async () => {
    const account = await anAccount(service.api);
    const own = await aProfile(service.api, account.token);
    const body = { profile_id: own, status: 'active', encrypted_data: 'x' };
    expect((await service.api.post('/api/allergies', body, { token: account.token })).status).toBe(201);
    const erase = { current_password: account.password };
    const { status } = await service.api.post('/api/users/me/delete', erase, { token: account.token });
    expect(status).toBe(204);
    expect(await sql(databaseUrl, 'SELECT 1 FROM allergies')).toEqual([]);
  });

  it('has an error code and a setting of its own', async () => {
    for (let count = 0; count < 3; count++) expect((await create()).status).toBe(201);
    const refused = await create();
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      code: 'too_many_allergies',
      error: 'This profile has as many allergies as it may.',
    });
    const { paths, components } = (await service.api.get('/api/openapi.json')).body;
    expect(paths['/api/allergies'].post.responses['409'].description).toContain('`too_many_allergies`');
    expect(components.schemas.ErrorResponse.properties.code.anyOf[0].enum).toContain('too_many_allergies');
  });

  it('has the table that its entity says, and the partitions of the others', async () => {
    const settings = { databasePoolSize: 2, databasePrepared: true };
    const dataSource = createDataSource(settings, databaseUrl, composeService(ALLERGIES).schema);
    await dataSource.initialize();
    const faults = await findSchemaFaults(dataSource);
    await dataSource.destroy();
    expect(faults).toEqual([]);
    const [{ account_id }] = await sql<{ account_id: string }>(
      databaseUrl,
      'SELECT account_id FROM profiles LIMIT 1',
    );
    const ofAccount = { text: 'SELECT 1 FROM allergies WHERE account_id = $1', values: [account_id] };
    expect((await touchedBy(databaseUrl, ofAccount)).allergies).toHaveLength(partitions > 0 ? 1 : 0);
    const all = { text: 'SELECT 1 FROM allergies', values: [] };
    expect((await touchedBy(databaseUrl, all)).allergies).toHaveLength(partitions);
  });
});

describe('a service whose database was there before the module', () => {
  it('gets its table at the next start, is ready only then, and can take it away again', async () => {
    const service = await startServiceHere();
    const environment = { DATABASE_URL: service.databaseUrl };
    const extended = await startServiceHere(environment, undefined, ALLERGIES);
    expect((await extended.api.get('/readyz')).status).toBe(200);
    const names = () => sql<{ name: string }>(service.databaseUrl, 'SELECT name FROM migrations ORDER BY id');
    expect((await names()).at(-1)!.name).toBe('Allergies1795000000000');
    await sql(service.databaseUrl, "DELETE FROM migrations WHERE name = 'Allergies1795000000000'");
    expect((await extended.api.get('/readyz')).status).toBe(503);
    expect((await service.api.get('/readyz')).status).toBe(200);
    await sql(
      service.databaseUrl,
      "INSERT INTO migrations (timestamp, name) VALUES (1795000000000, 'Allergies1795000000000')",
    );
    const settings = { databasePoolSize: 2, databasePrepared: true };
    const dataSource = createDataSource(settings, service.databaseUrl, composeService(ALLERGIES).schema);
    await dataSource.initialize();
    await dataSource.undoLastMigration();
    await dataSource.destroy();
    const left = await sql(
      service.databaseUrl,
      `SELECT relname FROM pg_class WHERE relname ~ 'allerg' UNION ALL SELECT proname FROM pg_proc WHERE proname ~ 'allerg'`,
    );
    expect(left).toEqual([]);
    await extended.stop();
    await service.stop();
  });
});
