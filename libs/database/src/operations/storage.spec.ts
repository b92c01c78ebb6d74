import { statfs } from 'node:fs/promises';
import type { ServiceConfig } from '@app/config';
import type { Database } from '../connection/database';
import { Storage } from './storage';

jest.mock('node:fs/promises', () => ({ statfs: jest.fn() }));

const MB = 1024 ** 2;
/** A file system with blocks of one megabyte. */
const disk = (megabytes: number, free: number) =>
  jest.mocked(statfs).mockResolvedValue({ bavail: free, blocks: megabytes, bsize: MB } as never);

function storageWith(config: Partial<ServiceConfig>): Storage {
  const database = { query: () => Promise.reject(new Error('not asked')) };
  return new Storage(database as unknown as Database, config as ServiceConfig);
}

describe('storage', () => {
  afterEach(() => jest.mocked(statfs).mockReset());

  it.each([
    [100_000, 513, false],
    [100_000, 511, true],
    [1_000, 101, false],
    [1_000, 99, true],
  ])('of %i MB with %i MB free: low is %s', async (megabytes, free, isLow) => {
    disk(megabytes, free);
    const storage = storageWith({ dataDir: '/data' });
    await storage.measure();
    expect(storage.isLow).toBe(isLow);
    expect(statfs).toHaveBeenCalledWith('/data');
  });

  it('of a database elsewhere is not known by the disk of the service, unless a path is given', async () => {
    disk(1_000, 1);
    const elsewhere = { databaseUrl: 'postgres://there', dataDir: '/data' };
    const [unknown, known] = [storageWith(elsewhere), storageWith({ ...elsewhere, storagePath: '/pg' })];
    await unknown.measure();
    expect([unknown.isLow, jest.mocked(statfs).mock.calls]).toEqual([false, []]);
    await known.measure();
    expect(known.isLow).toBe(true);
  });

  it('does not start on a path that cannot be read', async () => {
    jest.mocked(statfs).mockRejectedValue(new Error('no such folder'));
    const storage = storageWith({ storagePath: '/nope' });
    await expect(storage.onApplicationBootstrap()).rejects.toThrow(/STORAGE_PATH is no folder/);
  });

  it('stays what it was when it cannot be measured', async () => {
    const storage = storageWith({ dataDir: '/data' });
    disk(1_000, 1);
    await storage.measure();
    jest.mocked(statfs).mockRejectedValue(new Error('away'));
    await storage.measure();
    expect(storage.isLow).toBe(true);
    expect(() => storage.assertRoom()).toThrow(expect.objectContaining({ code: 'storage_low' }));
  });
});
