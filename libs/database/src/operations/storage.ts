import { statfs } from 'node:fs/promises';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ServiceError } from '@app/common';
import { ConfigError, ServiceConfig } from '@app/config';
import { Database } from '../connection/database';
import type { Statement } from '../connection/statement';

const EVERY_MS = 10_000;
/** PostgreSQL needs this much free space for its write-ahead log; less on a small file system. */
const RESERVE = { bytes: 512 * 1024 ** 2, share: 0.1 };
const RETRY_AFTER_SECONDS = 60;

const SIZE: Statement = {
  name: 'storage size',
  text: 'SELECT pg_database_size(current_database()) AS bytes',
};

/**
 * Watches how much the database may still grow, so that writes are refused before PostgreSQL fails. Reads and
 * deletes continue.
 *
 * It measures the free space of the file system if the database is on this machine (the embedded one, or
 * `STORAGE_PATH`), and the size of the database if `STORAGE_LIMIT` is set.
 */
@Injectable()
export class Storage implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private low = false;

  constructor(
    private readonly database: Database,
    private readonly config: ServiceConfig,
  ) {}

  /** Whether the last measurement found too little room. */
  get isLow(): boolean {
    return this.low;
  }

  /** @throws ServiceError `read_only`. */
  assertWritable(): void {
    if (this.config.readOnly) throw new ServiceError('read_only', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  /** @throws ServiceError `storage_low`. */
  assertRoom(): void {
    if (this.low) throw new ServiceError('storage_low', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  /** @throws ConfigError if `STORAGE_PATH` cannot be read: it would never protect anything. */
  async onApplicationBootstrap(): Promise<void> {
    const { storagePath } = this.config;
    if (storagePath !== undefined)
      await statfs(storagePath).catch(() => {
        throw new ConfigError('The service cannot start: STORAGE_PATH is no folder that can be read.');
      });
    await this.measure();
    this.timer = setInterval(() => void this.measure(), EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** If a measurement fails, the result of the last one stays valid. */
  async measure(): Promise<void> {
    try {
      this.low = (await this.isDiskLow()) || (await this.isLimitReached());
    } catch {
      // The database or the folder is unavailable. Requests report that themselves.
    }
  }

  private async isDiskLow(): Promise<boolean> {
    const { storagePath, databaseUrl, dataDir } = this.config;
    const path = storagePath ?? (databaseUrl === undefined ? dataDir : undefined);
    if (path === undefined) return false;
    const { bavail, blocks, bsize } = await statfs(path);
    return bavail * bsize < Math.min(RESERVE.bytes, blocks * bsize * RESERVE.share);
  }

  private async isLimitReached(): Promise<boolean> {
    if (this.config.storageLimit === undefined) return false;
    const [{ bytes }] = await this.database.query<{ bytes: number }>(SIZE, []);
    return bytes >= this.config.storageLimit;
  }
}
