import { expectFailure } from '../support/failures';
import {
  aHousehold,
  aRecord,
  deleteRecord,
  itemPath,
  REVISED_KINDS,
  type RecordKind,
  updateRecord,
} from '../support/record-kinds';
import { startService, type TestService } from '../support/service';

/** Conditions on a record of revision 2. */
const HOLDING = [
  '"2"',
  'W/"2"',
  '*',
  ' * ',
  '"1", "2"',
  '"2","3"',
  'W/"1" , W/"2"',
  ', "2" ,',
  '"a,b", "2"',
  '"", "2"',
];
const FAILING = [
  '"1"',
  '"3"',
  'W/"1"',
  '"1", "3"',
  '"02"',
  '"x"',
  '""',
  '"a,b"',
  '"99999999999"',
  '"-2"',
  '"2,"',
];
const MALFORMED = [
  '2',
  '"2',
  '2"',
  "'2'",
  '""2""',
  '"2 "',
  '"1" "2"',
  'w/"2"',
  'W/2',
  '*, "2"',
  '"2", *',
  ',',
  '',
  '"2", 3',
];

let service: TestService;
beforeAll(async () => (service = await startService()));
afterAll(() => service.stop());

/** A record of revision 2. */
async function aRevisedRecord(kind: RecordKind) {
  const household = await aHousehold(service.api);
  const { [kind.idField]: id } = await aRecord(service.api, kind, household);
  const { body: record } = await updateRecord(service.api, kind, household, id, kind.update!.change());
  expect(record.revision).toBe(2);
  const read = () => service.api.get(itemPath(kind, household, id), { token: household.token });
  const update = (ifMatch: string) =>
    updateRecord(service.api, kind, household, id, kind.update!.change(), {
      headers: { 'If-Match': ifMatch },
    });
  const remove = (ifMatch: string) =>
    deleteRecord(service.api, kind, household, id, undefined, { headers: { 'If-Match': ifMatch } });
  return { record, read, update, remove };
}

describe.each(REVISED_KINDS)('If-Match on a $name', (kind) => {
  it.each(HOLDING)('lets an update pass where it holds: %s', async (ifMatch) => {
    const { read, update } = await aRevisedRecord(kind);
    const { status, body } = await update(ifMatch);
    expect([status, body.revision]).toEqual([200, 3]);
    expect((await read()).body).toEqual(body);
  });

  it.each(HOLDING)('lets a deletion pass where it holds: %s', async (ifMatch) => {
    const { read, remove } = await aRevisedRecord(kind);
    expect((await remove(ifMatch)).status).toBe(204);
    expect((await read()).status).toBe(404);
  });

  it.each(FAILING)('lets nothing change where it does not hold: %s', async (ifMatch) => {
    const { record, read, update, remove } = await aRevisedRecord(kind);
    expectFailure(await update(ifMatch), 'revision_mismatch');
    expectFailure(await remove(ifMatch), 'revision_mismatch');
    expect((await read()).body).toEqual(record);
  });

  it.each(MALFORMED)('is refused where it is malformed, and nothing changes: %j', async (ifMatch) => {
    const { record, read, update, remove } = await aRevisedRecord(kind);
    expectFailure(await update(ifMatch), 'validation_failed', 'If-Match');
    expectFailure(await remove(ifMatch), 'validation_failed', 'If-Match');
    expect((await read()).body).toEqual(record);
  });

  it('lets one of many writers win who read the same revision', async () => {
    const { read, update } = await aRevisedRecord(kind);
    const answers = await Promise.all(Array.from({ length: 10 }, () => update('"2"')));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array<number>(9).fill(412)]);
    const winner = answers.find(({ status }) => status === 200)!;
    expect((await read()).body).toEqual(winner.body);
  });

  it('is not asked for: without it the last write wins', async () => {
    const household = await aHousehold(service.api);
    const { [kind.idField]: id } = await aRecord(service.api, kind, household);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => updateRecord(service.api, kind, household, id, kind.update!.change())),
    );
    expect(answers.map(({ body }) => body.revision).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 10 }, (_, index) => index + 2),
    );
    const last = answers.find(({ body }) => body.revision === 11)!;
    const { body } = await service.api.get(itemPath(kind, household, id), { token: household.token });
    expect(body).toEqual(last.body);
  });
});
