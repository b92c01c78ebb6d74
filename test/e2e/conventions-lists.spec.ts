import type { Answer } from '../support/api';
import { sql } from '../support/databases';
import { aProfile } from '../support/factories';
import { aHousehold, aRecord, type Household, RECORD_KINDS, type RecordKind } from '../support/record-kinds';
import { startService, type TestService } from '../support/service';

let service: TestService;
beforeAll(async () => (service = await startService()));
afterAll(() => service.stop());

const read = (path: string, { token }: Household) => service.api.get(path, { token });

/** Where the answer says that the list goes on. */
function nextOf({ headers }: Answer): string | undefined {
  const link = headers.get('link');
  if (link === null) return undefined;
  const [, target] = /^<([^>]+)>; rel="next"$/.exec(link)!;
  return target;
}

/** Every page from this path on. */
async function pagesFrom(path: string, household: Household): Promise<Record<string, any>[][]> {
  const pages: Record<string, any>[][] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const answer = await read(next, household);
    expect(answer.status).toBe(200);
    pages.push(answer.body);
    next = nextOf(answer);
  }
  return pages;
}

/** Some records of the kind, beside the one that a household may begin with; all of one millisecond. */
async function aTie(kind: RecordKind, count: number): Promise<Household> {
  const household = await aHousehold(service.api);
  for (let index = 0; index < count; index++) await aRecord(service.api, kind, household);
  await sql(
    service.databaseUrl,
    `UPDATE ${kind.table} r SET ${kind.orderColumn} = '2024-04-30T08:00:00.123Z'
      FROM profiles p WHERE p.id = $1 AND r.account_id = p.account_id`,
    [household.profileId],
  );
  return household;
}

describe.each(RECORD_KINDS)('the list of a $name', (kind) => {
  it.each([1, 2, 3, 7, 1000])('is the same in pages of %i as in one, over a tie', async (limit) => {
    const household = await aTie(kind, 7);
    const path = kind.collection(household);
    const { body: whole, headers } = await read(path, household);
    expect(headers.get('link')).toBeNull();
    expect(whole.length).toBeGreaterThanOrEqual(7);
    const pages = await pagesFrom(`${path}?limit=${limit}`, household);
    expect(pages.flat()).toEqual(whole);
    const full = Math.floor((whole.length - 1) / limit);
    expect(pages.map((page) => page.length)).toEqual([
      ...Array<number>(full).fill(limit),
      whole.length - full * limit,
    ]);
  });

  it(`is ordered ${kind.oldestFirst ? 'oldest' : 'newest'} first, ids breaking ties`, async () => {
    const household = await aTie(kind, 4);
    const { body: tied } = await read(kind.collection(household), household);
    const ids = tied.map((record: Record<string, string>) => record[kind.idField]);
    const sorted = [...ids].sort();
    expect(ids).toEqual(kind.oldestFirst ? sorted : sorted.reverse());
    // The middle one becomes the oldest.
    await sql(
      service.databaseUrl,
      `UPDATE ${kind.table} SET ${kind.orderColumn} = '2020-01-01T00:00:00Z' WHERE id = $1`,
      [ids[1]],
    );
    const { body } = await read(kind.collection(household), household);
    expect(body.at(kind.oldestFirst ? 0 : -1)[kind.idField]).toBe(ids[1]);
  });

  it('goes on after its cursor when records before it have gone and come', async () => {
    const household = await aTie(kind, 6);
    const { body: whole } = await read(kind.collection(household), household);
    const first = await read(`${kind.collection(household)}?limit=3`, household);
    await sql(service.databaseUrl, `DELETE FROM ${kind.table} WHERE id = $1`, [whole[2][kind.idField]]);
    if (!kind.oldestFirst) await aRecord(service.api, kind, household);
    const rest = await pagesFrom(nextOf(first)!, household);
    expect([...first.body, ...rest.flat()]).toEqual(whole);
  });

  it('takes a cursor without a limit: the rest of the list', async () => {
    const household = await aTie(kind, 5);
    const { body: whole } = await read(kind.collection(household), household);
    const next = new URL(nextOf(await read(`${kind.collection(household)}?limit=2`, household))!, 'http://x');
    next.searchParams.delete('limit');
    const { body, headers } = await read(next.pathname + next.search, household);
    expect([body, headers.get('link')]).toEqual([whole.slice(2), null]);
  });

  it('is bounded by updated_since, the time itself included', async () => {
    const household = await aTie(kind, 3);
    const { body: whole } = await read(kind.collection(household), household);
    const column = kind.update ? 'updated_at' : 'created_at';
    for (const [index, record] of whole.entries()) {
      await sql(service.databaseUrl, `UPDATE ${kind.table} SET ${column} = $1 WHERE id = $2`, [
        `2024-06-01T00:00:0${index}.500Z`,
        record[kind.idField],
      ]);
    }
    const since = async (time: string) =>
      (
        await read(`${kind.collection(household)}?updated_since=${encodeURIComponent(time)}`, household)
      ).body.map((record: Record<string, string>) => record[kind.idField]);
    const ids = whole.map((record: Record<string, string>) => record[kind.idField]);
    expect(await since('2024-06-01T00:00:00.500Z')).toEqual(ids);
    expect(await since('2024-06-01T02:00:01.500+02:00')).toEqual(ids.slice(1));
    expect(await since('2024-06-01T00:00:01.501Z')).toEqual(ids.slice(2));
    expect(await since('2030-01-01T00:00:00Z')).toEqual([]);
    const pages = await pagesFrom(
      `${kind.collection(household)}?limit=1&updated_since=2024-06-01T00:00:01.500Z`,
      household,
    );
    expect(pages.map(([record]) => record[kind.idField])).toEqual(ids.slice(1));
  });
});

describe('the list of health statistics', () => {
  it('is whole without a limit, however long it is', async () => {
    const household = await aHousehold(service.api);
    await sql(
      service.databaseUrl,
      `INSERT INTO health_stats (account_id, id, profile_id, encrypted_data)
        SELECT account_id, gen_random_uuid(), id, '"x"' FROM profiles, generate_series(1, 1234) WHERE id = $1`,
      [household.profileId],
    );
    const { body, headers } = await read('/api/health-stats', household);
    expect([body.length, headers.get('link')]).toEqual([1234, null]);
    const pages = await pagesFrom('/api/health-stats?limit=1000', household);
    expect(pages.map((page) => page.length)).toEqual([1000, 234]);
    expect(pages.flat()).toEqual(body);
  });

  it('keeps its filters from page to page', async () => {
    const household = await aHousehold(service.api);
    const kind = RECORD_KINDS.find(({ name }) => name === 'health statistic')!;
    const other = await aProfile(service.api, household.token);
    for (const profile_id of [household.profileId, other, household.profileId, other, household.profileId])
      await aRecord(service.api, kind, household, { profile_id });
    const query = `?limit=1&profile_id=${household.profileId}&recorded_to=2024-05-01T10:00:00%2B02:00`;
    const pages = await pagesFrom(`/api/health-stats${query}`, household);
    expect(pages.map(([record, ...more]) => [record.profile_id, more])).toEqual(
      Array(3).fill([household.profileId, []]),
    );
  });
});
