import { randomUUID } from 'node:crypto';
import { type Check, expectSame, expectTrue, type Subject } from '../check';
import { aBlob, aProfile } from '../factories';
import { expectFailure } from '../failures';
import {
  aHousehold,
  aRecord,
  idFieldOf,
  listRecords,
  readRecord,
  type KindUnderTest,
  type Registry,
  updateRecord,
} from '../record-kind';

const WRITERS = 30;

/**
 * Moving a record to another profile. Empty for a kind that is not directly under a
 * profile, never changes or has no blob.
 */
export function moveChecks(subject: Subject, kind: KindUnderTest, registry: Registry): Check[] {
  const { blobField } = kind;
  if (kind.under !== 'profile' || !kind.update || !blobField) return [];
  const set = async () => {
    const { api } = subject();
    const home = await aHousehold(api, registry);
    const record = await aRecord(api, kind, home);
    const otherProfile = await aProfile(api, home.token);
    const id = record[idFieldOf(kind)] as string;
    const update = (body: object) => updateRecord(api, kind, home, id, body);
    const read = async () => (await readRecord(api, kind, home, id)).body as Record<string, unknown>;
    return { home, record, otherProfile, update, read };
  };
  return [
    {
      name: 'the profile changes to another own profile with a new blob',
      run: async () => {
        const { home, record, otherProfile, update, read } = await set();
        const change = { profile_id: otherProfile, [blobField]: aBlob() };
        const { status, body } = await update(change);
        expectSame(status, 200);
        expectSame(body, { ...record, ...change, revision: 2, updated_at: body.updated_at });
        expectSame(await read(), body);
        const listOf = (profile: string) => listRecords(subject().api, kind, home, `?profile_id=${profile}`);
        expectSame(await listOf(otherProfile), [body]);
        const left = (await listOf(home.profileId)).map(({ id }) => id as string);
        expectTrue(!left.includes(record.id as string), 'The first profile still lists the record.');
      },
    },
    {
      name: 'the profile does not change without a new blob, since the key differs',
      run: async () => {
        const { record, otherProfile, update, read } = await set();
        expectFailure(await update({ profile_id: otherProfile }), 'validation_failed', blobField);
        expectSame(await read(), record);
      },
    },
    {
      name: 'the profile may be sent again as it is by many at once, and none of them gives up',
      run: async () => {
        const { record, update } = await set();
        const same = { profile_id: record.profile_id as string };
        const answers = await Promise.all(Array.from({ length: WRITERS }, () => update(same)));
        expectSame(
          answers.map(({ status }) => status),
          Array(WRITERS).fill(200),
        );
      },
    },
    {
      name: 'the profile may be sent again as it is, in either case',
      run: async () => {
        const { home, record, update } = await set();
        for (const profile of [home.profileId, home.profileId.toUpperCase()]) {
          const { status, body } = await update({ profile_id: profile });
          expectSame(status, 200);
          expectSame(body, { ...record, revision: body.revision, updated_at: body.updated_at });
        }
      },
    },
    {
      name: 'the profile is never one of another account, or one that does not exist',
      run: async () => {
        const { record, update, read } = await set();
        const { profileId: foreign } = await aHousehold(subject().api, registry);
        for (const profile of [foreign, randomUUID()]) {
          expectFailure(await update({ profile_id: profile }), 'not_found');
          expectFailure(await update({ profile_id: profile, [blobField]: aBlob() }), 'not_found');
        }
        expectSame(await read(), record);
      },
    },
    {
      name: 'the profile is refused where it is malformed',
      run: async () => {
        const { record, update, read } = await set();
        const change = { profile_id: `${record.profile_id}0`, [blobField]: aBlob() };
        expectFailure(await update(change), 'validation_failed', 'profile_id');
        expectSame(await read(), record);
      },
    },
  ];
}
