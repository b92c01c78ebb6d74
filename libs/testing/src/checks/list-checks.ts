import type { Answer } from '../api';
import { type Check, expectSame, expectTrue, type Subject } from '../check';
import { sql } from '../databases';
import {
  aHousehold,
  aRecord,
  collectionPath,
  type Household,
  idFieldOf,
  type KindUnderTest,
  type Registry,
} from '../record-kind';

type Rows = Record<string, any>[];

/** The address of the next page from the `Link` header. Undefined on the last page. */
export function nextOf({ headers }: Answer): string | undefined {
  const link = headers.get('link');
  if (link === null) return undefined;
  const [, target] = /^<([^>]+)>; rel="next"$/.exec(link) ?? [];
  expectTrue(target !== undefined, `The Link header is malformed: ${link}`);
  return target;
}

/** Returns every page of a list, starting with this path. */
export async function pagesFrom(subject: Subject, path: string, token: string): Promise<Rows[]> {
  const pages: Rows[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const answer: Answer = await subject().api.get(next, { token });
    expectSame(answer.status, 200);
    pages.push(answer.body as Rows);
    next = nextOf(answer);
  }
  return pages;
}

/** The order of a list and its pages. */
export function listChecks(subject: Subject, kind: KindUnderTest, registry: Registry): Check[] {
  const idField = idFieldOf(kind);
  const read = (path: string, { token }: Household) => subject().api.get(path, { token });
  const pagesOf = (path: string, { token }: Household) => pagesFrom(subject, path, token);

  /** Creates records with the same timestamp, in addition to the one that a household may begin with. */
  const aTie = async (count: number) => {
    const { api, databaseUrl } = subject();
    const home = await aHousehold(api, registry);
    for (let index = 0; index < count; index++) await aRecord(api, kind, home);
    await sql(
      databaseUrl,
      `UPDATE ${kind.table} r SET ${kind.orderColumn} = '2024-04-30T08:00:00.123Z'
        FROM profiles p WHERE p.id = $1 AND r.account_id = p.account_id`,
      [home.profileId],
    );
    const path = collectionPath(kind, home);
    const { body, headers } = await read(path, home);
    expectSame(headers.get('link'), null);
    return { home, path, whole: body as Rows };
  };
  const setTime = (column: string, time: string, id: unknown) =>
    sql(subject().databaseUrl, `UPDATE ${kind.table} SET ${column} = $1 WHERE id = $2`, [time, id]);

  return [
    ...[1, 2, 3, 7, 1000].map((limit) => ({
      name: `the list is the same in pages of ${limit} as in one, over a tie`,
      run: async () => {
        const { home, path, whole } = await aTie(7);
        expectTrue(whole.length >= 7, `Only ${whole.length} records are listed.`);
        const pages = await pagesOf(`${path}?limit=${limit}`, home);
        expectSame(pages.flat(), whole);
        const full = Math.floor((whole.length - 1) / limit);
        expectSame(
          pages.map((page) => page.length),
          [...Array<number>(full).fill(limit), whole.length - full * limit],
        );
      },
    })),
    {
      name: `the list is ordered ${kind.oldestFirst ? 'oldest' : 'newest'} first, ids breaking ties`,
      run: async () => {
        const { home, path, whole } = await aTie(4);
        const ids = whole.map((record) => record[idField] as string);
        const sorted = [...ids].sort();
        expectSame(ids, kind.oldestFirst ? sorted : sorted.reverse());
        // The middle record becomes the oldest.
        await setTime(kind.orderColumn, '2020-01-01T00:00:00Z', ids[1]);
        const { body } = await read(path, home);
        expectSame((body as Rows).at(kind.oldestFirst ? 0 : -1)?.[idField], ids[1]);
      },
    },
    {
      name: 'the list goes on after its cursor when records before it are deleted and added',
      run: async () => {
        const { home, path, whole } = await aTie(6);
        const first = await read(`${path}?limit=3`, home);
        await sql(subject().databaseUrl, `DELETE FROM ${kind.table} WHERE id = $1`, [whole[2][idField]]);
        if (!kind.oldestFirst) await aRecord(subject().api, kind, home);
        const rest = await pagesOf(nextOf(first)!, home);
        expectSame([...(first.body as Rows), ...rest.flat()], whole);
      },
    },
    {
      name: 'the list takes a cursor without a limit: the rest of the list',
      run: async () => {
        const { home, path, whole } = await aTie(5);
        const next = new URL(nextOf(await read(`${path}?limit=2`, home))!, 'http://x');
        next.searchParams.delete('limit');
        const { body, headers } = await read(next.pathname + next.search, home);
        expectSame([body, headers.get('link')], [whole.slice(2), null]);
      },
    },
    {
      name: 'the list is bounded by updated_since, the time itself included',
      run: async () => {
        const { home, path, whole } = await aTie(3);
        const column = kind.update ? 'updated_at' : 'created_at';
        for (const [index, record] of whole.entries())
          await setTime(column, `2024-06-01T00:00:0${index}.500Z`, record[idField]);
        const since = async (time: string) => {
          const { body } = await read(`${path}?updated_since=${encodeURIComponent(time)}`, home);
          return (body as Rows).map((record) => record[idField] as string);
        };
        const ids = whole.map((record) => record[idField] as string);
        expectSame(await since('2024-06-01T00:00:00.500Z'), ids);
        expectSame(await since('2024-06-01T02:00:01.500+02:00'), ids.slice(1));
        expectSame(await since('2024-06-01T00:00:01.501Z'), ids.slice(2));
        expectSame(await since('2030-01-01T00:00:00Z'), []);
        const pages = await pagesOf(`${path}?limit=1&updated_since=2024-06-01T00:00:01.500Z`, home);
        expectSame(
          pages.map(([record]) => record[idField] as string),
          ids.slice(1),
        );
      },
    },
  ];
}
