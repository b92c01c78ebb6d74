import { LockedError } from '../errors';
import { LocalCopy } from './local-copy';
import { Overlay } from './overlay';
import { memoryRows } from './row-store';

const LISTENER = {
  changed: () => undefined,
  removed: () => undefined,
  epochChanged: () => undefined,
  ended: () => new LockedError(),
};
const row = (id: string) => ({ kind: 'medication', id, body: { id }, listing: 1 });
const dose = (id: string, medicationId: string) => ({
  kind: 'dose',
  id,
  body: { id, medication_id: medicationId },
  listing: 1,
});
const waiting = (number: number, id: string, medicationId: string) => ({
  number,
  action: 'create',
  kind: 'dose',
  id,
  method: 'POST',
  path: '',
  body: { id },
  parent: { medication_id: medicationId },
  at: '',
});
const ids = (copy: LocalCopy) =>
  copy
    .records('medication')
    .map(({ id }) => id)
    .sort();

describe('the copy of an account in memory', () => {
  it('sees what another tab has written and removed since its rows were read ahead', async () => {
    const store = memoryRows();
    const tab = new LocalCopy(store, 'account', LISTENER);
    const write = (rows: Record<string, object | null>) => tab.change(() => ({ rows, result: undefined }));
    await write({ 'record medication a': row('a'), 'record medication b': row('b') });
    const ahead = store.read(0);
    await write({ 'record medication a': null, 'record medication c': row('c') });
    const copy = new LocalCopy(store, 'account', LISTENER, ahead);
    await copy.catchUp();
    expect(ids(copy)).toEqual(['b', 'c']);
    expect(ids(copy)).toEqual(ids(tab));
  });

  it('says whose doses were changed, also of one that is removed or waits, and says when it does not know', async () => {
    const told: (string[] | undefined)[] = [];
    const changed = (_kinds: ReadonlySet<string>, dosesOf?: ReadonlySet<string>) =>
      told.push(dosesOf && [...dosesOf].sort());
    const copy = new LocalCopy(memoryRows(), 'account', { ...LISTENER, changed });
    const write = (rows: Record<string, object | null>) => copy.change(() => ({ rows, result: undefined }));
    await write({ 'record dose 1': dose('1', 'a'), 'record medication a': row('a') });
    await write({ 'record dose 1': dose('1', 'b') });
    await write({ 'record dose 1': null });
    await write({ 'outbox 0000000001': waiting(1, '2', 'c') });
    await write({ 'outbox 0000000001': null, 'record dose 2': dose('2', 'c') });
    await write({ 'aside dose 3': { kind: 'dose', id: '3', code: 'unproven', times: 1 } });
    const many = Array.from({ length: 201 }, (_, at) => [`record dose m${at}`, dose(`m${at}`, 'd')]);
    await write(Object.fromEntries(many));
    expect(told).toEqual([['a'], ['a', 'b'], ['b'], ['c'], ['c'], undefined, undefined]);
  });

  it('lists the doses of one medication, as they change, and works out no others', async () => {
    const copy = new LocalCopy(memoryRows(), 'account', LISTENER);
    const write = (rows: Record<string, object | null>) => copy.change(() => ({ rows, result: undefined }));
    const others = Array.from({ length: 500 }, (_, at) => dose(`other ${at}`, 'b'));
    await write({
      ...Object.fromEntries(others.map((each) => [`record dose ${each.id}`, each])),
      'record dose 1': dose('1', 'a'),
      'record dose 2': dose('2', 'a'),
    });
    const listed = () => {
      const shown = new Overlay(copy).list('dose', 'a').filter(({ body }) => body.medication_id === 'a');
      return shown.map(({ body }) => body.id).sort();
    };
    expect(listed()).toEqual(['1', '2']);
    await write({ 'record dose 1': null, 'record dose 3': dose('3', 'a'), 'record dose 4': dose('4', 'b') });
    await write({ 'outbox 000000000001': waiting(1, '5', 'a'), 'record dose 2': dose('2', 'b') });
    expect(listed()).toEqual(['3', '5']);
    await write({
      'outbox 000000000001': null,
      'record dose 5': dose('5', 'a'),
      'record dose 4': dose('4', 'a'),
    });
    expect(listed()).toEqual(['3', '4', '5']);
    const show = jest.spyOn(Overlay.prototype, 'show');
    expect(listed()).toEqual(['3', '4', '5']);
    expect(show).toHaveBeenCalledTimes(3);
  });
});
