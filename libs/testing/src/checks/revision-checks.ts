import { type Check, expectSame, expectTrue, type Subject } from '../check';
import { expectFailure } from '../failures';
import {
  aHousehold,
  aRecord,
  deleteRecord,
  idFieldOf,
  readRecord,
  type KindUnderTest,
  type Registry,
  updateRecord,
} from '../record-kind';

/** Conditions on a record of revision 2. */
const HOLDING = [
  ...['"2"', 'W/"2"', '*', ' * ', '"1", "2"', '"2","3"', 'W/"1" , W/"2"', ', "2" ,'],
  ...['"a,b", "2"', '"", "2"'],
];
const FAILING = [
  ...['"1"', '"3"', 'W/"1"', '"1", "3"', '"02"', '"x"', '""', '"a,b"', '"99999999999"', '"-2"'],
  '"2,"',
];
const MALFORMED = [
  ...['2', '"2', '2"', "'2'", '""2""', '"2 "', '"1" "2"', 'w/"2"', 'W/2', '*, "2"', '"2", *', ','],
  ...['', '"2", 3'],
];
const WRITERS = 10;

/** The effect of `If-Match` on updates and deletions. Empty for a kind that never changes. */
export function revisionChecks(subject: Subject, kind: KindUnderTest, registry: Registry): Check[] {
  const { update: verb } = kind;
  if (!verb) return [];
  const aRecordOfRevision = async (revision: 1 | 2) => {
    const { api } = subject();
    const home = await aHousehold(api, registry);
    let record = await aRecord(api, kind, home);
    const id = record[idFieldOf(kind)] as string;
    if (revision === 2) record = (await updateRecord(api, kind, home, id, verb.change())).body;
    expectSame(record.revision, revision);
    const read = () => readRecord(api, kind, home, id);
    const given = (ifMatch: string | undefined) =>
      ifMatch === undefined ? {} : { headers: { 'If-Match': ifMatch } };
    const update = (ifMatch?: string) => updateRecord(api, kind, home, id, verb.change(), given(ifMatch));
    const remove = (ifMatch: string) => deleteRecord(api, kind, home, id, undefined, given(ifMatch));
    return { record, read, update, remove };
  };
  return [
    ...HOLDING.map((ifMatch) => ({
      name: `If-Match lets an update pass where it holds: ${ifMatch}`,
      run: async () => {
        const { read, update } = await aRecordOfRevision(2);
        const { status, body } = await update(ifMatch);
        expectSame([status, body.revision], [200, 3]);
        expectSame((await read()).body, body);
      },
    })),
    ...HOLDING.map((ifMatch) => ({
      name: `If-Match lets a deletion pass where it holds: ${ifMatch}`,
      run: async () => {
        const { read, remove } = await aRecordOfRevision(2);
        expectSame((await remove(ifMatch)).status, 204);
        expectSame((await read()).status, 404);
      },
    })),
    ...FAILING.map((ifMatch) => ({
      name: `If-Match lets nothing change where it does not hold: ${ifMatch}`,
      run: async () => {
        const { record, read, update, remove } = await aRecordOfRevision(2);
        expectFailure(await update(ifMatch), 'revision_mismatch');
        expectFailure(await remove(ifMatch), 'revision_mismatch');
        expectSame((await read()).body, record);
      },
    })),
    ...MALFORMED.map((ifMatch) => ({
      name: `If-Match is refused where it is malformed, and nothing changes: ${JSON.stringify(ifMatch)}`,
      run: async () => {
        const { record, read, update, remove } = await aRecordOfRevision(2);
        expectFailure(await update(ifMatch), 'validation_failed', 'If-Match');
        expectFailure(await remove(ifMatch), 'validation_failed', 'If-Match');
        expectSame((await read()).body, record);
      },
    })),
    {
      name: 'If-Match lets one of many writers win who read the same revision',
      run: async () => {
        const { read, update } = await aRecordOfRevision(2);
        const answers = await Promise.all(Array.from({ length: WRITERS }, () => update('"2"')));
        const statuses = answers.map(({ status }) => status).sort();
        expectSame(statuses, [200, ...Array<number>(WRITERS - 1).fill(412)]);
        const winner = answers.find(({ status }) => status === 200);
        expectSame((await read()).body, winner?.body);
      },
    },
    {
      name: 'If-Match is not asked for: without it the last write wins',
      run: async () => {
        const { read, update } = await aRecordOfRevision(1);
        const answers = await Promise.all(Array.from({ length: WRITERS }, () => update()));
        const revisions = answers.map(({ body }) => body.revision as number);
        expectSame(
          revisions.sort((a, b) => a - b),
          Array.from({ length: WRITERS }, (_, index) => index + 2),
        );
        const last = answers.find(({ body }) => body.revision === WRITERS + 1);
        expectTrue(last !== undefined, 'No writer was the last.');
        expectSame((await read()).body, last!.body);
      },
    },
  ];
}
