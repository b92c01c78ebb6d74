import { LockedError } from '../errors';
import { LocalCopy } from './local-copy';
import { memoryRows } from './row-store';

const LISTENER = {
  changed: () => undefined,
  removed: () => undefined,
  epochChanged: () => undefined,
  ended: () => new LockedError(),
};
const row = (id: string) => ({ kind: 'medication', id, body: { id }, listing: 1 });
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
});
