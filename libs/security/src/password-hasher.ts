import { pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { ServiceError } from '@app/common';
import { ServiceConfig } from '@app/config';

const derive = promisify(pbkdf2);

const SALT_BYTES = 16;
const HASH_BYTES = 32;
const FORMAT = /^\$pbkdf2-sha512\$i=(\d{1,8})\$([\w+/]+)\$([\w+/]+)$/;
/** More than these wait so long that the person has given up: they are told to come back. */
const MAX_WAITING = 50;
/** Who has waited longer is not waited for any more: the client has gone, or will go before there is an answer. */
const MAX_WAIT_MS = 10_000;
/** A flood that is turned away at once comes again at once: this is how long it is kept waiting, for next to nothing. */
const LINGER_MS = 1_000;
const MAX_LINGERING = 2_000;

/**
 * Hashes secrets that clients send (auth secret, recovery proof) for storage, and checks them.
 *
 * PBKDF2-HMAC-SHA-512, a random 16-byte salt, 32 bytes of output, kept as `$pbkdf2-sha512$i=<rounds>$<salt>$<hash>`.
 * Work runs on the thread pool, on at most half of the cores at once, behind a short queue.
 *
 * Source: OWASP Password Storage (210 000 rounds); PHC string format.
 */
@Injectable()
export class PasswordHasher {
  private readonly places = new Places(Math.max(1, Math.floor(availableParallelism() / 2)), MAX_WAITING);
  private readonly iterations: number;

  constructor(config: ServiceConfig) {
    this.iterations = config.passwordHashIterations;
  }

  /**
   * To be asked before any other work for a request that will need a hash, so that a flood costs no statements.
   *
   * @throws ServiceError `overloaded`, after a pause, when too many wait already.
   */
  async assertRoom(): Promise<void> {
    if (this.places.isFull) await this.places.linger();
  }

  /** @throws ServiceError `overloaded` when too many wait already, or this has waited for too long. */
  async hash(secret: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const hash = await this.derive(secret, salt, this.iterations);
    return `$pbkdf2-sha512$i=${this.iterations}$${base64(salt)}$${base64(hash)}`;
  }

  /**
   * Whether `secret` is the one that was hashed. Without a stored hash the answer is `false` after the same work.
   *
   * Security: the work of one derivation at today's cost on every path; compared in constant time.
   * @throws ServiceError `overloaded`.
   */
  async verify(secret: string, stored: string | null | undefined): Promise<boolean> {
    const known = stored ? parse(stored) : undefined;
    const { iterations, salt, hash } = known ?? {
      iterations: this.iterations,
      salt: Buffer.alloc(SALT_BYTES),
      hash: Buffer.alloc(HASH_BYTES),
    };
    const derived = await this.derive(secret, salt, iterations, this.iterations - iterations);
    return timingSafeEqual(derived, hash) && known !== undefined;
  }

  /** Whether a secret that has just been verified should be hashed again, at today's cost. */
  isOutdated(stored: string): boolean {
    return parse(stored).iterations < this.iterations;
  }

  /** @param padding rounds without effect, so that a hash of cheaper days takes as long as none at all. */
  private derive(secret: string, salt: Buffer, iterations: number, padding = 0): Promise<Buffer> {
    return this.places.run(async () => {
      const derived = await derive(secret, salt, iterations, HASH_BYTES, 'sha512');
      if (padding > 0) await derive(secret, salt, padding, HASH_BYTES, 'sha512');
      return derived;
    });
  }
}

function parse(stored: string): { iterations: number; salt: Buffer; hash: Buffer } {
  const match = FORMAT.exec(stored);
  if (!match) throw new Error('A stored hash has an unknown format.');
  const [, iterations, salt, hash] = match;
  return {
    iterations: Number(iterations),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

/** A fixed number of places with a bounded queue in front. */
class Places {
  private free: number;
  private lingering = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    count: number,
    private readonly maxWaiting: number,
  ) {
    this.free = count;
  }

  get isFull(): boolean {
    return this.free === 0 && this.waiting.length >= this.maxWaiting;
  }

  /** Waits a while for room. @throws ServiceError `overloaded`. */
  async linger(): Promise<void> {
    if (this.lingering < MAX_LINGERING) {
      this.lingering++;
      await sleep(LINGER_MS, undefined, { ref: false });
      this.lingering--;
    }
    if (this.isFull) throw overloaded();
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.isFull) throw overloaded();
    const since = performance.now();
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      if (performance.now() - since > MAX_WAIT_MS) throw overloaded();
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}

function overloaded(): ServiceError {
  return new ServiceError('overloaded', { retryAfterSeconds: 5 });
}
