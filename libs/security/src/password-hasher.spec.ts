import * as crypto from 'node:crypto';
import { availableParallelism } from 'node:os';
import { ServiceError } from '@app/common';
import type { ServiceConfig } from '@app/config';
import { PasswordHasher } from './password-hasher';

jest.mock('node:crypto', () => {
  const actual = jest.requireActual<typeof crypto>('node:crypto');
  return { ...actual, pbkdf2: jest.fn(actual.pbkdf2), pbkdf2Sync: jest.fn(actual.pbkdf2Sync) };
});

const pbkdf2 = jest.mocked(crypto.pbkdf2);
const pbkdf2Sync = jest.mocked(crypto.pbkdf2Sync);
const actual = jest.requireActual<typeof crypto>('node:crypto');

/** The address for calls that do not need a specific one. */
const HERE = '192.0.2.1';

const hasherAt = (iterations: number) =>
  new PasswordHasher({ passwordHashIterations: iterations } as ServiceConfig);

/** The parameters of each derivation: rounds, lengths of salt and output, and hash function. */
const work = () =>
  pbkdf2.mock.calls.map(([, salt, iterations, length, digest]) => [
    (salt as Buffer).length,
    iterations,
    length,
    digest,
  ]);

beforeEach(() => {
  pbkdf2.mockReset().mockImplementation(actual.pbkdf2);
  pbkdf2Sync.mockClear();
});

describe('a hash', () => {
  it('is one self-describing string that is not the secret', async () => {
    const stored = await hasherAt(3).hash('secret', HERE);
    expect(stored).toMatch(/^\$pbkdf2-sha512\$i=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(work()).toEqual([[16, 3, 32, 'sha512']]);
  });

  it('is PBKDF2-HMAC-SHA-512 of the secret as it was sent', async () => {
    const stored = await hasherAt(3).hash('s\u00e9cret ', HERE);
    const [salt, hash] = stored
      .split('$')
      .slice(3)
      .map((part) => Buffer.from(part, 'base64'));
    expect(hash).toEqual(actual.pbkdf2Sync('s\u00e9cret ', salt, 3, 32, 'sha512'));
  });

  it('has a salt of its own each time', async () => {
    const hasher = hasherAt(1);
    const hashes = await Promise.all(Array.from({ length: 10 }, () => hasher.hash('secret', HERE)));
    expect(new Set(hashes.map((stored) => stored.split('$')[3])).size).toBe(10);
  });

  it('never blocks the event loop', async () => {
    const hasher = hasherAt(1);
    await hasher.verify('secret', await hasher.hash('secret', HERE), HERE);
    expect(pbkdf2).toHaveBeenCalledTimes(2);
    expect(pbkdf2Sync).not.toHaveBeenCalled();
  });
});

describe('a check', () => {
  it('is true for the secret, false for any other', async () => {
    const hasher = hasherAt(2);
    const stored = await hasher.hash('secret', HERE);
    expect(await hasher.verify('secret', stored, HERE)).toBe(true);
    for (const other of ['Secret', 'secret ', '', 'secre\u0301t']) {
      expect([other, await hasher.verify(other, stored, HERE)]).toEqual([other, false]);
    }
  });

  it('understands a hash of another cost', async () => {
    const stored = await hasherAt(5).hash('secret', HERE);
    expect(await hasherAt(2).verify('secret', stored, HERE)).toBe(true);
    expect(work().map(([, iterations]) => iterations)).toEqual([5, 5]);
  });

  it.each([
    ['the right secret', 'secret', 'kept', true],
    ['a wrong secret', 'wrong', 'kept', false],
    ['no such account', 'secret', undefined, false],
    ['recovery that is off', 'secret', null, false],
    ['an empty column', 'secret', '', false],
  ])('costs exactly one derivation, the same for all: %s', async (_, secret, column, expected) => {
    const hasher = hasherAt(4);
    const kept = await hasher.hash('secret', HERE);
    pbkdf2.mockClear();
    expect(await hasher.verify(secret, column === 'kept' ? kept : column, HERE)).toBe(expected);
    expect(work()).toEqual([[16, 4, 32, 'sha512']]);
  });

  it.each(['secret', 'wrong'])(
    'takes as many rounds for a hash of cheaper days as for none (%s)',
    async (secret) => {
      const stored = await hasherAt(3).hash('secret', HERE);
      pbkdf2.mockClear();
      expect(await hasherAt(10).verify(secret, stored, HERE)).toBe(secret === 'secret');
      const rounds = work().map(([, iterations]) => iterations as number);
      expect(rounds.reduce((sum, some) => sum + some, 0)).toBe(10);
    },
  );

  it('is never true without a stored hash, not even for a secret that hashes to zeros', async () => {
    const zeros = ((...args: Parameters<typeof actual.pbkdf2>) =>
      args[5](null, Buffer.alloc(32))) as typeof actual.pbkdf2;
    pbkdf2.mockImplementation(zeros);
    expect(await hasherAt(1).verify('secret', undefined, HERE)).toBe(false);
  });

  it.each(['plain text', '$argon2id$v=19$m=65536$salt$hash', '$pbkdf2-sha512$i=x$c2FsdA$aGFzaA'])(
    'fails loudly for a stored value that it does not know: %s',
    async (stored) => {
      await expect(hasherAt(1).verify('secret', stored, HERE)).rejects.toThrow('unknown format');
    },
  );
});

describe('isOutdated', () => {
  it.each([
    [1, 2, true],
    [2, 2, false],
    [3, 2, false],
  ])('of a hash at %i rounds where today has %i: %s', async (stored, today, expected) => {
    expect(hasherAt(today).isOutdated(await hasherAt(stored).hash('secret', HERE))).toBe(expected);
  });
});

describe('many at once', () => {
  const PLACES = Math.max(1, Math.floor(availableParallelism() / 2));
  const MOST_WAITING = 50;

  /** Keeps derivations running until they are released. */
  function holdDerivations(): { release: () => void } {
    const pending: (() => void)[] = [];
    let isOpen = false;
    pbkdf2.mockImplementation((...args: Parameters<typeof actual.pbkdf2>) => {
      const finish = () => args[5](null, Buffer.alloc(32));
      if (isOpen) setImmediate(finish);
      else pending.push(finish);
    });
    const release = () => {
      isOpen = true;
      pending.splice(0).forEach((finish) => finish());
    };
    return { release };
  }

  it('take at most half of the cores, and the queue goes on as places come free', async () => {
    const { release } = holdDerivations();
    const hasher = hasherAt(1);
    const hashes = Array.from({ length: PLACES + 10 }, () => hasher.hash('secret', HERE));
    expect(pbkdf2).toHaveBeenCalledTimes(PLACES);
    release();
    await expect(Promise.all(hashes)).resolves.toHaveLength(PLACES + 10);
    expect(pbkdf2).toHaveBeenCalledTimes(PLACES + 10);
  });

  it('wait in a short queue; who comes later is told when to come back, at no cost', async () => {
    const { release } = holdDerivations();
    const hasher = hasherAt(1);
    const waiting = Array.from({ length: PLACES + MOST_WAITING }, () => hasher.hash('secret', HERE));
    for (const late of [hasher.hash('secret', HERE), hasher.verify('secret', undefined, HERE)]) {
      await expect(late).rejects.toBeInstanceOf(ServiceError);
      await expect(late).rejects.toMatchObject({ code: 'overloaded', status: 503, retryAfterSeconds: 5 });
    }
    release();
    await Promise.all(waiting);
    expect(pbkdf2).toHaveBeenCalledTimes(PLACES + MOST_WAITING);
    await expect(hasher.hash('secret', HERE)).resolves.toEqual(expect.any(String));
  });

  it('give their place back also when a derivation fails', async () => {
    const failing = ((...args: Parameters<typeof actual.pbkdf2>) =>
      args[5](new Error('no'), Buffer.alloc(0))) as typeof actual.pbkdf2;
    pbkdf2.mockImplementation(failing);
    const hasher = hasherAt(1);
    for (let count = 0; count <= PLACES; count++)
      await expect(hasher.hash('secret', HERE)).rejects.toThrow('no');
    pbkdf2.mockImplementation(actual.pbkdf2);
    await expect(hasher.hash('secret', HERE)).resolves.toEqual(expect.any(String));
  });
});
