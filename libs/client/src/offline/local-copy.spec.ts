import { LockedError } from '../errors';
import { adopt } from './adoption';
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
    const changed = (_kinds: ReadonlySet<string>, { dosesOf }: { dosesOf?: ReadonlySet<string> }) =>
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

  it('reads nothing for a look while no other tab has told of a write', async () => {
    const store = memoryRows();
    let [newest, reads] = [1, 0];
    const telling = {
      ...store,
      isNewest: (version: number) => version === newest,
      read: (after: number) => {
        reads += 1;
        return store.read(after);
      },
    };
    const [tab, copy] = [store, telling].map((each) => new LocalCopy(each, 'account', LISTENER));
    const write = (to: LocalCopy, id: string) =>
      to.change(() => ({ rows: { [`record medication ${id}`]: row(id) }, result: undefined }));
    await write(tab, 'a');
    await copy.catchUpIfTold();
    expect([ids(copy), reads]).toEqual([['a'], 1]);
    await write(tab, 'b');
    await copy.catchUpIfTold();
    expect([ids(copy), reads]).toEqual([['a'], 1]);
    // What nobody has told yet, a write meets all the same.
    await write(copy, 'c');
    expect(ids(copy)).toEqual(['a', 'b', 'c']);
    await write(tab, 'd');
    newest = 4;
    await copy.catchUpIfTold();
    expect(ids(copy)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('waits with a look for its own write that is under way', async () => {
    const copy = new LocalCopy({ ...memoryRows(), isNewest: () => true }, 'account', LISTENER);
    await copy.catchUp();
    void copy.change(() => ({ rows: { 'record medication a': row('a') }, result: undefined }));
    await copy.catchUpIfTold();
    expect(ids(copy)).toEqual(['a']);
  });

  it('says of a change whether it is its own, and never of one that it does not believe', async () => {
    const told: boolean[] = [];
    const changed = (_kinds: ReadonlySet<string>, { isOwn }: { isOwn: boolean }) => told.push(isOwn);
    const store = memoryRows();
    const copy = new LocalCopy(store, 'account', { ...LISTENER, changed });
    const write = (rows: Record<string, object | null>, isOwn?: boolean) =>
      copy.change(() => ({ rows, result: undefined }), isOwn);
    await write({ 'outbox 0000000001': waiting(1, '2', 'c') }, true);
    await write({ 'record dose 1': dose('1', 'a') });
    await write({ 'record dose 2': dose('2', 'a'), 'aside dose 2': null }, true);
    await new LocalCopy(store, 'account', LISTENER).change(() => {
      return { rows: { 'record dose 3': dose('3', 'a') }, result: undefined };
    });
    await copy.catchUp();
    expect(told).toEqual([true, false, true, false]);
    await write({ 'aside dose 4': { kind: 'dose', id: '4', code: 'unproven', times: 1 } });
    await write({ 'record dose 4': dose('4', 'a'), 'aside dose 4': null }, true);
    expect(told.slice(4)).toEqual([false, false]);
  });

  it('decides anew where another tab was faster: a write, a decision to write nothing, and an error', async () => {
    const store = memoryRows();
    const [tab, other] = [0, 1].map(() => new LocalCopy(store, 'account', LISTENER));
    const write = (copy: LocalCopy, id: string) =>
      copy.change(() => ({ rows: { [`record medication ${id}`]: row(id) }, result: ids(copy) }));
    await write(tab, 'a');
    await write(other, 'b');
    expect(await write(tab, 'c')).toEqual(['a', 'b']);
    expect(await other.change(() => ({ rows: {}, result: ids(other) }))).toEqual(['a', 'b', 'c']);
    await write(tab, 'd');
    const refusing = other.change(() => {
      if (ids(other).includes('d')) return { rows: {}, result: 'seen' };
      throw new Error('d does not exist.');
    });
    expect(await refusing).toBe('seen');
    const failing = other.change(() => {
      throw new Error('Never.');
    });
    await expect(failing).rejects.toThrow('Never.');
  });

  it('reads the store for no write of its own, and writes no row that says what it said', async () => {
    const store = memoryRows();
    const copy = new LocalCopy(store, 'account', LISTENER);
    const write = (rows: Record<string, object | null>) => copy.change(() => ({ rows, result: undefined }));
    await write({ 'record medication a': row('a') });
    const [read, written] = [jest.spyOn(store, 'read'), jest.spyOn(store, 'write')];
    await write({ 'record medication a': row('a'), 'record medication b': row('b'), 'missing dose 1': null });
    expect(written.mock.calls.map(([rows]) => rows.map(([key]) => key))).toEqual([
      ['account record medication b'],
    ]);
    expect(read).not.toHaveBeenCalled();
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
    const all = jest.spyOn(copy, 'records');
    expect(new Overlay(copy).list('dose', 'a')).toHaveLength(3);
    expect(all).not.toHaveBeenCalled();
  });
});

describe('the copy of a space', () => {
  const space = { spaceId: 's', profileId: 'p' };

  it('has its rows alone, and those of the account are not in it', async () => {
    const store = memoryRows();
    const own = new LocalCopy(store, 'account', LISTENER);
    const shared = new LocalCopy(store, 'account', LISTENER, undefined, space);
    await own.change(() => ({ rows: { 'record medication a': row('a') }, result: undefined }));
    await shared.change(() => ({ rows: { 'record medication b': row('b') }, result: undefined }));
    await Promise.all([own.catchUp(), shared.catchUp()]);
    expect([ids(own), ids(shared)]).toEqual([['a'], ['b']]);
    expect([own.keys, shared.keys]).toEqual([['record medication a'], ['record medication b']]);
  });

  it('is left alone where the rows of a former account are removed, and loses its rows with them, but no unsent write', async () => {
    const store = memoryRows();
    const shared = new LocalCopy(store, 'account', LISTENER, undefined, space);
    const former = new LocalCopy(store, 'former', LISTENER, undefined, { ...space, spaceId: 'other' });
    const written = { 'record medication b': row('b'), 'outbox 000000000001': waiting(1, 'd', 'b') };
    const state = { listing: 3, isComplete: true, cursor: 'c', lastSuccess: null, nextNumber: 5 };
    for (const copy of [shared, former])
      await copy.change(() => ({ rows: { ...written, state }, result: undefined }));
    await shared.catchUp();
    await shared.dropForeignRows();
    await former.catchUp();
    expect(ids(former)).toEqual(['b']);
    const own = new LocalCopy(store, 'account', LISTENER);
    await own.catchUp();
    await own.dropForeignRows();
    await Promise.all([former.catchUp(), shared.catchUp()]);
    expect([ids(shared), shared.outbox.length]).toEqual([['b'], 1]);
    expect([ids(former), former.outbox.length]).toEqual([[], 1]);
    // It begins anew, and goes on with the numbers of its writes.
    expect(former.state).toMatchObject({ isComplete: false, nextNumber: 5 });
    expect(former.state.cursor).toBeUndefined();
  });
});

describe('a profile that moves into a space', () => {
  const inProfile = (id: string) => ({ ...row(id), body: { id, profile_id: 'p' } });
  const twoCopies = async () => {
    const store = memoryRows();
    const own = new LocalCopy(store, 'account', LISTENER);
    const shared = new LocalCopy(store, 'account', LISTENER, undefined, { spaceId: 's', profileId: 'p' });
    const profile = {
      kind: 'profile',
      id: 'p',
      body: { profile_id: 'p', wrapped_profile_dek: 'w' },
      listing: 1,
    };
    await own.change(() => ({
      rows: {
        'record profile p': profile,
        'record medication a': inProfile('a'),
        'record medication b': { ...row('b'), body: { id: 'b', profile_id: 'q' } },
        'record dose 1': dose('1', 'a'),
        'record dose 2': dose('2', 'b'),
        'outbox 000000000003': waiting(3, '3', 'a'),
        'outbox 000000000004': waiting(4, '4', 'b'),
        'unsealed 000000000002': { number: 2, kind: 'medication', after: { id: 'a', profile_id: 'p' } },
        state: { listing: 1, isComplete: true, cursor: 'c', lastSuccess: null, nextNumber: 5 },
      },
      result: undefined,
    }));
    return { store, own, shared };
  };

  it('takes along what belongs to it, in one step, and its unsent writes in their order', async () => {
    const { store, own, shared } = await twoCopies();
    const write = jest.spyOn(store, 'write');
    await adopt(own, shared);
    expect(write).toHaveBeenCalledTimes(1);
    expect([ids(own), ids(shared)]).toEqual([['b'], ['a']]);
    expect([own, shared].map((copy) => copy.records('dose').map(({ id }) => id))).toEqual([['2'], ['1']]);
    expect([own, shared].map((copy) => copy.outbox.map(({ id }) => id))).toEqual([['4'], ['3']]);
    expect([own, shared].map((copy) => copy.unsealed.length)).toEqual([0, 1]);
    expect(shared.unsealed[0].number).toBeLessThan(shared.outbox[0].number);
    expect(shared.records('profile')[0].body.wrapped_profile_dek).toBe('');
    expect(shared.state).toMatchObject({ isComplete: true, listingAfter: 'move' });
    await adopt(own, shared);
    expect(write).toHaveBeenCalledTimes(1);
  });

  it('gives no row to a space that has shown its own, and numbers writes after those that wait there', async () => {
    const { own, shared } = await twoCopies();
    await shared.change(() => ({
      rows: {
        'outbox 000000000003': waiting(3, 'there', 'a'),
        state: { listing: 1, isComplete: true, cursor: 'd', lastSuccess: null, nextNumber: 4 },
      },
      result: undefined,
    }));
    await adopt(own, shared);
    expect([ids(own), ids(shared)]).toEqual([['b'], []]);
    expect(shared.outbox.map(({ id }) => id)).toEqual(['there', '3']);
    expect(new Set([...shared.outbox, ...shared.unsealed].map(({ number }) => number)).size).toBe(3);
  });

  it('is moved once by two tabs at the same time', async () => {
    const { store, own, shared } = await twoCopies();
    const [otherOwn, otherShared] = [
      new LocalCopy(store, 'account', LISTENER),
      new LocalCopy(store, 'account', LISTENER, undefined, { spaceId: 's', profileId: 'p' }),
    ];
    await Promise.all([adopt(own, shared), adopt(otherOwn, otherShared)]);
    await Promise.all([shared.catchUp(), otherShared.catchUp()]);
    for (const copy of [shared, otherShared]) {
      expect(ids(copy)).toEqual(['a']);
      expect(copy.outbox.map(({ id }) => id)).toEqual(['3']);
    }
  });
});
