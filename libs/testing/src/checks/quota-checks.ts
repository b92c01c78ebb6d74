import { type Check, expectSame, expectTrue, type Subject } from '../check';
import { sql } from '../databases';
import { aBlob } from '../factories';
import { expectFailure } from '../failures';
import {
  aHousehold,
  aRecord,
  createRecord,
  deleteRecord,
  type Household,
  idFieldOf,
  isUnderProfile,
  PROFILE_ITEM,
  type KindUnderTest,
  type Registry,
  updateRecord,
  urlOf,
} from '../record-kind';
import { idOfAccount } from '../spaces';

/** The number of records and bytes that an account stores. */
export interface Usage {
  records: number;
  bytes: number;
}

/** The service's count of what the account, or the space, of this id stores. Undefined if there is no count. */
export async function keptUsage(databaseUrl: string, holderId: string): Promise<Usage | undefined> {
  const text = 'SELECT records, bytes FROM account_usage WHERE account_id = $1';
  const [row] = await sql<Record<keyof Usage, string>>(databaseUrl, text, [holderId]);
  return row && { records: Number(row.records), bytes: Number(row.bytes) };
}

/** The actual usage of the account, or of the space, of this id, counted from its records. */
export async function countedUsage(
  databaseUrl: string,
  holderId: string,
  { kinds }: Registry,
): Promise<Usage> {
  const counts = kinds.map(({ table, countedColumns }) => {
    const bytes = ['0', ...countedColumns.map((column) => `coalesce(octet_length(${column}), 0)`)].join(
      ' + ',
    );
    return `SELECT count(*) AS records, coalesce(sum(${bytes}), 0) AS bytes FROM ${table} WHERE account_id = $1`;
  });
  const [row] = await sql<Record<keyof Usage, string>>(
    databaseUrl,
    `SELECT sum(records) AS records, sum(bytes) AS bytes FROM (${counts.join(' UNION ALL ')}) counts`,
    [holderId],
  );
  return { records: Number(row.records), bytes: Number(row.bytes) };
}

function holderOf(subject: Subject, token: string): string {
  return subject().holderOf?.(token) ?? idOfAccount({ token });
}

/** Expects the service's count to equal the actual usage of the account. */
async function expectExact(
  subject: Subject,
  kind: KindUnderTest,
  registry: Registry,
  { token }: Household,
  after: string,
): Promise<Usage> {
  const holderId = holderOf(subject, token);
  const right = await countedUsage(subject().databaseUrl, holderId, registry);
  const why =
    `The count of the account is wrong after ${after} of a ${kind.name}. Does the migration give the table ` +
    `${kind.table} its counter triggers, and does its entry have the right \`countedColumns\`?`;
  expectSame(await keptUsage(subject().databaseUrl, holderId), right, why);
  return right;
}

/**
 * How records of a kind count against the quotas of an account.
 *
 * @param subject a service that was started with `QUOTA_RECORDS` = `records`. The value must be 10 or more.
 */
export function quotaChecks(
  subject: Subject,
  kind: KindUnderTest,
  registry: Registry,
  records: number,
): Check[] {
  const idField = idFieldOf(kind);
  /** Adds records of the kind until there are this many of all kinds. */
  const fill = async (home: Household, count: number) => {
    for (;;) {
      const usage = await keptUsage(subject().databaseUrl, holderOf(subject, home.token));
      if (usage!.records >= count) return;
      await aRecord(subject().api, kind, home);
    }
  };
  return [
    {
      name: 'records beyond the quota are refused with 409 and a clear sentence, and taken again after a deletion',
      run: async () => {
        const { api } = subject();
        const home = await aHousehold(api, registry);
        await fill(home, records - 1);
        const last = await aRecord(api, kind, home);
        const refused = await createRecord(api, kind, home);
        expectFailure(refused, 'quota_exceeded');
        expectSame(
          refused.body.error,
          `This account stores ${records} records or more, which is all that it may: delete something first.`,
        );
        expectSame((await deleteRecord(api, kind, home, last[idField])).status, 204);
        expectSame((await createRecord(api, kind, home)).status, 201);
        expectFailure(await createRecord(api, kind, home), 'quota_exceeded');
        await expectExact(subject, kind, registry, home, 'a create at the quota');
      },
    },
    ...countChecks(subject, kind, registry),
  ];
}

/** The service's count stays correct after every operation on a record of the kind. */
export function countChecks(subject: Subject, kind: KindUnderTest, registry: Registry): Check[] {
  const idField = idFieldOf(kind);
  const exact = (home: Household, after: string) => expectExact(subject, kind, registry, home, after);
  return [
    {
      name: 'the count is exact after a create, an update, a deletion and a cascade',
      run: async () => {
        const { api } = subject();
        const home = await aHousehold(api, registry);
        const { records: before } = await exact(home, 'the creation of what is needed');
        const record = await aRecord(api, kind, home);
        expectSame((await exact(home, 'a create')).records, before + 1);
        if (kind.update) {
          const changes = [kind.update.change()];
          if (kind.blobField)
            changes.push({ [kind.blobField]: aBlob(400) }, { [kind.blobField]: 'é\u{1f436}' });
          for (const change of changes) {
            expectSame((await updateRecord(api, kind, home, record[idField], change)).status, 200);
            await exact(home, 'an update');
          }
        }
        expectSame((await deleteRecord(api, kind, home, record[idField])).status, 204);
        expectSame((await exact(home, 'a deletion')).records, before);
        const others = await Promise.all(Array.from({ length: 3 }, () => aRecord(api, kind, home)));
        expectSame((await exact(home, 'creates at once')).records, before + others.length);
        // The profile of a space stays.
        if (holderOf(subject, home.token) !== idOfAccount(home)) return;
        const path = urlOf(PROFILE_ITEM, home.ids);
        expectSame((await api.delete(path, undefined, { token: home.token })).status, 204);
        const { records: left } = await exact(home, 'the deletion of the profile');
        const own = isUnderProfile(kind, registry) ? 0 : others.length;
        expectTrue(left === own, `${left} records are left after the deletion of the profile.`);
      },
    },
  ];
}
