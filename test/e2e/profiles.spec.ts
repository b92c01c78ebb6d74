import { randomUUID } from 'node:crypto';
import { expectFailure } from '@app/testing';
import {
  aBlob,
  aCiphertext,
  aDose,
  aHealthStat,
  aMedication,
  anAccount,
  anAppointment,
  aProfile,
} from '../support/factories';
import { type SharedService, sharedService } from '../support/service';

describe('profiles', () => {
  let service: SharedService;
  beforeAll(async () => (service = await sharedService()));

  const create = async (body: object) => {
    const { token } = await anAccount(service.api);
    return service.api.post('/api/profiles', { wrapped_profile_dek: aCiphertext(), ...body }, { token });
  };

  it('creates a profile with the defaults of the contract', async () => {
    const { token } = await anAccount(service.api);
    const dek = aCiphertext();
    const { status, body, headers } = await service.api.post(
      '/api/profiles',
      { wrapped_profile_dek: dek },
      { token },
    );
    expect(status).toBe(201);
    expect(headers.get('etag')).toBe('"1"');
    expect(body).toEqual({
      profile_id: expect.any(String),
      owner_account_id: expect.any(String),
      kind: 'human',
      relationship: 'self',
      wrapped_profile_dek: dek,
      wrapped_profile_dek_iv: '',
      name_data: '',
      name_iv: '',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
      revision: 1,
    });
  });

  it('keeps every field as it was sent', async () => {
    const { token } = await anAccount(service.api);
    const sent = {
      profile_id: randomUUID(),
      kind: 'pet',
      relationship: 'our dog \u{1f436}',
      wrapped_profile_dek: aCiphertext(),
      wrapped_profile_dek_iv: aCiphertext(12),
      name_data: aBlob(),
      name_iv: aCiphertext(12),
    };
    const created = await service.api.post('/api/profiles', sent, { token });
    expect(created.body).toMatchObject(sent);
    const { body } = await service.api.get(`/api/profiles/${sent.profile_id}`, { token });
    expect(body).toEqual(created.body);
    expect((await service.api.get('/api/profiles', { token })).body).toEqual([created.body]);
  });

  it('names its owner by the id of the account', async () => {
    const { token } = await anAccount(service.api);
    const { body: me } = await service.api.get('/api/users/me', { token });
    const id = await aProfile(service.api, token);
    expect((await service.api.get(`/api/profiles/${id}`, { token })).body.owner_account_id).toBe(me.id);
  });

  it.each([
    ['no key', { wrapped_profile_dek: undefined }, 'wrapped_profile_dek'],
    ['an empty key', { wrapped_profile_dek: '' }, 'wrapped_profile_dek'],
    ['a key that is no string', { wrapped_profile_dek: { k: 1 } }, 'wrapped_profile_dek'],
    ['an IV that is no string', { wrapped_profile_dek_iv: 7 }, 'wrapped_profile_dek_iv'],
    ['an unknown kind', { kind: 'plant' }, 'kind'],
    ['a kind in another case', { kind: 'Human' }, 'kind'],
    ['an empty relationship', { relationship: '' }, 'relationship'],
    ['a relationship of 65 characters', { relationship: 'x'.repeat(65) }, 'relationship'],
    ['null for an optional field', { relationship: null }, 'relationship'],
    ['a name that is a number', { name_data: 5 }, 'name_data'],
    ['a name that is an empty object', { name_data: {} }, 'name_data'],
    ['a name that is a list', { name_data: ['x'] }, 'name_data'],
    ['a name that is null', { name_data: null }, 'name_data'],
    ['an IV of the name that is null', { name_iv: null }, 'name_iv'],
    ['an owner', { owner_account_id: randomUUID() }, 'owner_account_id'],
  ])('refuses a create with %s', async (_, body, field) => {
    expectFailure(await create(body), 'validation_failed', field);
  });

  it('counts the characters of a relationship, not their bytes or UTF-16 units', async () => {
    const relationship = '\u{1f436}'.repeat(64);
    expect((await create({ relationship })).body).toMatchObject({ relationship });
    expectFailure(await create({ relationship: `${relationship}x` }), 'validation_failed', 'relationship');
  });

  it.each(['kind', 'relationship', 'wrapped_profile_dek_iv', 'name_iv'])(
    'updates %s alone and leaves the rest as it was',
    async (field) => {
      const { token } = await anAccount(service.api);
      const id = await aProfile(service.api, token, { name_data: aBlob(), name_iv: aCiphertext(12) });
      const { body: before } = await service.api.get(`/api/profiles/${id}`, { token });
      const change = { [field]: field === 'kind' ? 'pet' : aCiphertext(12) };
      const { status, body, headers } = await service.api.put(`/api/profiles/${id}`, change, { token });
      expect(status).toBe(200);
      expect(headers.get('etag')).toBe('"2"');
      expect(body).toEqual({ ...before, ...change, revision: 2, updated_at: body.updated_at });
      expect((await service.api.get(`/api/profiles/${id}`, { token })).body).toEqual(body);
    },
  );

  it.each([
    ['name_data', 'name_iv'],
    ['wrapped_profile_dek', 'wrapped_profile_dek_iv'],
  ])('refuses a new %s without its IV where the stored IV is not empty', async (value, iv) => {
    const { token } = await anAccount(service.api);
    const id = await aProfile(service.api, token, { name_data: aBlob(), name_iv: aCiphertext(12) });
    const path = `/api/profiles/${id}`;
    const { body: before } = await service.api.get(path, { token });
    const change = { [value]: aCiphertext() };
    expectFailure(await service.api.put(path, change, { token }), 'validation_failed', iv);
    expect((await service.api.get(path, { token })).body).toEqual(before);
    const both = { ...change, [iv]: aCiphertext(12) };
    expect((await service.api.put(path, both, { token })).body).toMatchObject(both);
  });

  it.each(['name_data', 'wrapped_profile_dek'])(
    'takes a new %s alone where the stored IV is empty',
    async (field) => {
      const { token } = await anAccount(service.api);
      const id = await aProfile(service.api, token, { wrapped_profile_dek_iv: '' });
      const change = { [field]: aCiphertext() };
      const { status, body } = await service.api.put(`/api/profiles/${id}`, change, { token });
      expect(status).toBe(200);
      expect(body).toMatchObject(change);
    },
  );

  it('takes a record back as it was read', async () => {
    const { token } = await anAccount(service.api);
    const id = await aProfile(service.api, token, { name_data: aBlob(), name_iv: aCiphertext(12) });
    const { body: before } = await service.api.get(`/api/profiles/${id}`, { token });
    const { status, body } = await service.api.put(`/api/profiles/${id}`, before, { token });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...before, revision: 2, updated_at: body.updated_at });
  });

  it('refuses an empty key, which only a shared profile has', async () => {
    const { token } = await anAccount(service.api);
    const id = await aProfile(service.api, token);
    const answer = await service.api.put(`/api/profiles/${id}`, { wrapped_profile_dek: '' }, { token });
    expectFailure(answer, 'validation_failed', 'wrapped_profile_dek');
  });

  it('empties a name again', async () => {
    const { token } = await anAccount(service.api);
    const id = await aProfile(service.api, token, { name_data: aBlob(), name_iv: aCiphertext(12) });
    const empty = { name_data: '', name_iv: '' };
    const { body } = await service.api.put(`/api/profiles/${id}`, empty, { token });
    expect(body).toMatchObject(empty);
  });

  it('deletes a profile with everything under it, and nothing of another profile', async () => {
    const { token } = await anAccount(service.api);
    const [gone, kept] = [await aProfile(service.api, token), await aProfile(service.api, token)];
    const recordsOf = async (profile: string) => {
      const medication = await aMedication(service.api, token, profile);
      const dose = await aDose(service.api, token, medication.id);
      const appointment = await anAppointment(service.api, token, profile);
      const healthStat = await aHealthStat(service.api, token, profile);
      return { medication, dose, appointment, healthStat };
    };
    const [under, beside] = [await recordsOf(gone), await recordsOf(kept)];
    const deleted = await service.api.delete(`/api/profiles/${gone}`, undefined, { token });
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    for (const [records, status] of [
      [under, 404],
      [beside, 200],
    ] as const) {
      const paths = [
        `/api/medications/${records.medication.id}`,
        `/api/medications/${records.medication.id}/log`,
        `/api/medications/${records.medication.id}/adherence`,
        `/api/appointments/${records.appointment.id}`,
        `/api/health-stats/${records.healthStat.id}`,
      ];
      const answers = await Promise.all(paths.map((path) => service.api.get(path, { token })));
      expect(answers.map((answer) => answer.status)).toEqual(paths.map(() => status));
    }
    const lists = ['/api/medications', '/api/appointments', '/api/health-stats'];
    const answers = await Promise.all(lists.map((path) => service.api.get(path, { token })));
    expect(answers.map(({ body }) => body)).toEqual([
      [beside.medication],
      [beside.appointment],
      [beside.healthStat],
    ]);
  });
});
