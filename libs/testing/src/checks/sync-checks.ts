import { type Check, expectSame, expectTrue, type Subject } from '../check';
import {
  aHousehold,
  aRecord,
  deleteRecord,
  type Household,
  idFieldOf,
  type KindUnderTest,
  type Registry,
  updateRecord,
} from '../record-kind';

interface Changes {
  cursor: string;
  changes: { kind: string; id: string; record?: object; deleted?: true }[];
}

/** The entries of `GET /api/sync` about a record. */
export function syncChecks(subject: Subject, kind: KindUnderTest, registry: Registry): Check[] {
  const since = async (cursor: string | undefined, { token }: Household): Promise<Changes> => {
    const query = cursor === undefined ? '' : `?cursor=${cursor}`;
    const answer = await subject().api.get(`/api/sync${query}`, { token });
    expectSame(answer.status, 200);
    return answer.body as Changes;
  };
  return [
    {
      name: 'the feed tells that it was made, changed and deleted, once each time',
      run: async () => {
        const { api } = subject();
        const home = await aHousehold(api, registry);
        const before = await since(undefined, home);
        const made = await aRecord(api, kind, home);
        const id = made[idFieldOf(kind)] as string;
        const afterCreate = await since(before.cursor, home);
        const name = afterCreate.changes[0]?.kind;
        expectSame(afterCreate.changes, [{ kind: name, id, record: made }]);
        let last = afterCreate;
        if (kind.update) {
          const { body: changed } = await updateRecord(api, kind, home, id, kind.update.change());
          last = await since(afterCreate.cursor, home);
          expectSame(last.changes, [{ kind: name, id, record: changed }]);
        }
        await deleteRecord(api, kind, home, id);
        const afterDelete = await since(last.cursor, home);
        expectSame(afterDelete.changes, [{ kind: name, id, deleted: true }]);
        expectSame((await since(before.cursor, home)).changes, afterDelete.changes);
        const everything = (await since(undefined, home)).changes;
        expectTrue(
          !everything.some((change) => change.id === id),
          'A new reader is told of a deleted record.',
        );
      },
    },
  ];
}
