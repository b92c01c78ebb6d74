import {
  aBlob,
  type Check,
  countChecks,
  erasureChecks,
  type KindUnderTest,
  registryChecks,
  registryOf,
  SERVICE_REGISTRY,
} from '@app/testing';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { ALLERGIES } from '../support/allergies/allergies.domain';
import { type ServiceHere, startServiceHere } from '../support/service-here';

/** The one entry of a module that the service does not know. */
const ALLERGY: KindUnderTest = {
  name: 'allergy',
  collection: '/api/allergies',
  item: '/api/allergies/{id}',
  under: 'profile',
  body: ({ profileId }) => ({ profile_id: profileId, status: 'active', encrypted_data: aBlob() }),
  update: { method: 'PUT', change: () => ({ reaction_data: aBlob() }) },
  deleteWith: 'DELETE',
  table: 'allergies',
  orderColumn: 'created_at',
  blobField: 'reaction_data',
  countedColumns: ['encrypted_data', 'reaction_data'],
};
const REGISTRY = registryOf({ kinds: [ALLERGY], codes: { too_many_allergies: 409 } });

let databaseUrl: string;
let service: ServiceHere;
beforeAll(async () => {
  databaseUrl = await createDatabase(false);
  const environment = {
    DATABASE_URL: databaseUrl,
    ALLERGIES_PER_PROFILE: '1000',
    ALLERGY_FEED_TOKEN: 'a token of a feed',
  };
  service = await startServiceHere(environment, undefined, ALLERGIES);
});
afterAll(async () => {
  await service.stop();
  await dropDatabase(databaseUrl);
});

describe('the checks say what to do', () => {
  /** The messages of the checks that fail. */
  async function failuresOf(checks: Check[]): Promise<string> {
    const messages: string[] = [];
    for (const { run } of checks) await run().catch((error: Error) => messages.push(error.message));
    return messages.join('\n');
  }
  /** Runs with the database changed by the first statement, and mends it by the second. */
  async function withChange(change: string, mend: string, checks: Check[]): Promise<string> {
    await sql(databaseUrl, change);
    try {
      return await failuresOf(checks);
    } finally {
      await sql(databaseUrl, mend);
    }
  }
  const triggerOf = async (name: string) => {
    const text = `SELECT pg_get_triggerdef(oid) AS text FROM pg_trigger WHERE tgname = $1`;
    return (await sql<{ text: string }>(databaseUrl, text, [name]))[0].text;
  };

  it('where the registry has no entry for a kind', async () => {
    const failures = await failuresOf(registryChecks(() => service, SERVICE_REGISTRY));
    expect(failures).toContain('POST /api/allergies creates records of no known kind. Add an entry');
    expect(failures).toContain('There is no record for /api/allergies/{id}. Add an entry');
    expect(failures).toContain('The table allergies belongs to no known kind. Add an entry');
  });

  it('where an entry names what does not exist', async () => {
    const wrong: KindUnderTest = { ...ALLERGY, deleteWith: 'POST', countedColumns: ['blob'] };
    const failures = await failuresOf(registryChecks(() => service, registryOf({ kinds: [wrong] })));
    expect(failures).toContain('allergy: the document has no POST /api/allergies/{id}/delete.');
    expect(failures).toContain('allergy: the table allergies has no column blob.');
  });

  it.each(['inserted', 'updated', 'deleted'])('where the counter trigger %s is forgotten', async (event) => {
    const trigger = `allergies_${event}`;
    const mend = await triggerOf(trigger);
    const checks = countChecks(() => service, ALLERGY, REGISTRY);
    const failures = await withChange(`DROP TRIGGER ${trigger} ON allergies`, mend, checks);
    expect(failures).toContain(`Does the migration give the table allergies its counter triggers`);
    expect(await failuresOf(checks)).toBe('');
  });

  it('where nothing deletes the rows of a table with their parent', async () => {
    const mend = `DELETE FROM allergies; ALTER TABLE allergies ADD CONSTRAINT allergies_profile_fkey
      FOREIGN KEY (account_id, profile_id) REFERENCES profiles (account_id, id) ON DELETE CASCADE`;
    const change = 'ALTER TABLE allergies DROP CONSTRAINT allergies_profile_fkey';
    const failures = await withChange(
      change,
      mend,
      erasureChecks(() => service, REGISTRY),
    );
    expect(failures).toContain('The table allergies still has rows.');
    expect(failures).toContain('1 of kind allergy are still there.');
    expect(failures).toContain('ON DELETE CASCADE');
  });
});
