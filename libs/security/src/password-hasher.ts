import { pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Queue } from '@app/common';
import { HASH_RUNS } from '@app/common/observation';
import { ServiceConfig } from '@app/config';
import { networkOf, widerNetworksOf } from './rate-limits/network';

const derive = promisify(pbkdf2);

const SALT_BYTES = 16;
const HASH_BYTES = 32;
const FORMAT = /^\$pbkdf2-sha512\$i=(\d{1,8})\$([\w+/]+)\$([\w+/]+)$/;

/**
 * Hashes secrets that clients send (auth secret, recovery proof) for storage, and checks them.
 *
 * PBKDF2-HMAC-SHA-512, a random 16-byte salt, 32 bytes of output, stored as `$pbkdf2-sha512$i=<rounds>$<salt>$<hash>`.
 * The work runs on the thread pool, on at most half of the cores at a time. The rest waits in a short queue.
 *
 * Clients that their account knows and strangers take turns, so neither stops the other; each uses the free slots
 * of the other. Within them, blocks and their networks take turns: a sender with many networks in one block gets
 * the share of one block.
 *
 * Source: OWASP Password Storage (210 000 rounds); PHC string format.
 */
@Injectable()
export class PasswordHasher {
  private readonly queue = new Queue('hashes', Math.max(1, Math.floor(availableParallelism() / 2)));
  private readonly iterations: number;

  constructor(config: ServiceConfig) {
    this.iterations = config.passwordHashIterations;
  }

  /** The number of hashes that wait for their turn. */
  get waiting(): number {
    return this.queue.waiting;
  }

  /**
   * @param address of the client; the queue is shared fairly among networks.
   * @param isKnown whether the account knows the client; slots are kept for such clients.
   * @throws ServiceError `overloaded` if too many requests wait already, or this one has waited too long.
   */
  async hash(secret: string, address: string, isKnown = false): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const hash = await this.derive(secret, { address, isKnown }, { salt, iterations: this.iterations });
    return `$pbkdf2-sha512$i=${this.iterations}$${base64(salt)}$${base64(hash)}`;
  }

  /**
   * Whether `secret` has the stored hash. Without a stored hash, the result is `false` after the same amount
   * of work.
   *
   * Security: every path runs one derivation at the current cost; the comparison takes constant time.
   * @throws ServiceError `overloaded`.
   */
  async verify(
    secret: string,
    stored: string | null | undefined,
    address: string,
    isKnown = false,
  ): Promise<boolean> {
    const known = stored ? parse(stored) : undefined;
    const { iterations, salt, hash } = known ?? {
      iterations: this.iterations,
      salt: Buffer.alloc(SALT_BYTES),
      hash: Buffer.alloc(HASH_BYTES),
    };
    const derived = await this.derive(secret, { address, isKnown }, { salt, iterations });
    return timingSafeEqual(derived, hash) && known !== undefined;
  }

  /** Whether a stored hash has a lower cost than the current one. */
  isOutdated(stored: string): boolean {
    return parse(stored).iterations < this.iterations;
  }

  /**
   * Security: for a hash with a lower cost, the missing rounds also run, and their result is ignored. Every
   * check then takes the same time.
   */
  private derive(secret: string, client: HashClient, { salt, iterations }: Rounds): Promise<Buffer> {
    const padding = this.iterations - iterations;
    return this.inTurn(client, async () => {
      const derived = await derive(secret, salt, iterations, HASH_BYTES, 'sha512');
      if (padding > 0) await derive(secret, salt, padding, HASH_BYTES, 'sha512');
      return derived;
    });
  }

  /** @throws ServiceError `overloaded` if there is no room or the wait was too long; the errors of `work`. */
  private async inTurn<T>({ address, isKnown }: HashClient, work: () => Promise<T>): Promise<T> {
    const askedAt = performance.now();
    const network = networkOf(address);
    const key = [isKnown ? 'known' : 'strangers', widerNetworksOf(network).block, network] as const;
    let startedAt: number | undefined;
    try {
      return await this.queue.run(key, () => {
        startedAt = performance.now();
        return work();
      });
    } finally {
      HASH_RUNS.tell({ askedAt, startedAt, endedAt: performance.now() });
    }
  }
}

/** Who asks for a hash. */
interface HashClient {
  address: string;
  /** Whether the account knows the client; see `isKnown`. */
  isKnown: boolean;
}

interface Rounds {
  salt: Buffer;
  iterations: number;
}

function parse(stored: string): Rounds & { hash: Buffer } {
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
