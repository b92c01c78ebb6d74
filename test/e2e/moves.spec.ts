import { randomUUID } from 'node:crypto';
import { aBlob, aProfile } from '../support/factories';
import { expectFailure } from '../support/failures';
import { aHousehold, aRecord, itemPath, RECORD_KINDS, updateRecord } from '../support/record-kinds';
import { startService, type TestService } from '../support/service';

const MOVABLE = RECORD_KINDS.filter(({ name }) =>
  ['medication', 'appointment', 'health statistic'].includes(name),
);

describe.each(MOVABLE)('the profile of a $name', (kind) => {
  let service: TestService;
  beforeAll(async () => (service = await startService()));
  afterAll(() => service.stop());

  const setUp = async () => {
    const household = await aHousehold(service.api);
    const record = await aRecord(service.api, kind, household);
    const otherProfile = await aProfile(service.api, household.token);
    const update = (body: object) => updateRecord(service.api, kind, household, record.id, body);
    const read = async () =>
      (await service.api.get(itemPath(kind, household, record.id), { token: household.token })).body;
    return { household, record, otherProfile, update, read };
  };

  it('changes to another own profile with new encrypted data', async () => {
    const { household, record, otherProfile, update, read } = await setUp();
    const change = { profile_id: otherProfile, encrypted_data: aBlob() };
    const { status, body } = await update(change);
    expect(status).toBe(200);
    expect(body).toEqual({ ...record, ...change, revision: 2, updated_at: body.updated_at });
    expect(await read()).toEqual(body);
    const listOf = async (profile: string) =>
      (
        await service.api.get(`${kind.collection(household)}?profile_id=${profile}`, {
          token: household.token,
        })
      ).body;
    expect(await listOf(otherProfile)).toEqual([body]);
    expect(await listOf(household.profileId)).not.toContainEqual(body);
  });

  it('does not change without new encrypted data, since the key differs', async () => {
    const { record, otherProfile, update, read } = await setUp();
    expectFailure(await update({ profile_id: otherProfile }), 'validation_failed', 'encrypted_data');
    expect(await read()).toEqual(record);
  });

  it('may be sent again as it is by many at once, and none of them gives up', async () => {
    const { record, update } = await setUp();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => update({ profile_id: record.profile_id })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
  });

  it('may be sent again as it is, in either case', async () => {
    const { household, record, update } = await setUp();
    for (const profile of [household.profileId, household.profileId.toUpperCase()]) {
      const { status, body } = await update({ profile_id: profile });
      expect(status).toBe(200);
      expect(body).toEqual({ ...record, revision: body.revision, updated_at: body.updated_at });
    }
  });

  it('is never one of another account, or one that does not exist', async () => {
    const { record, update, read } = await setUp();
    const { profileId: foreign } = await aHousehold(service.api);
    for (const profile of [foreign, randomUUID()]) {
      expectFailure(await update({ profile_id: profile }), 'not_found');
      expectFailure(await update({ profile_id: profile, encrypted_data: aBlob() }), 'not_found');
    }
    expect(await read()).toEqual(record);
  });

  it('is refused where it is malformed', async () => {
    const { record, update, read } = await setUp();
    const change = { profile_id: `${record.profile_id}0`, encrypted_data: aBlob() };
    expectFailure(await update(change), 'validation_failed', 'profile_id');
    expect(await read()).toEqual(record);
  });
});
