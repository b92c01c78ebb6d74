import { existsSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Removes a data directory with its cluster, which as root is elsewhere, behind a link. */
export function removeDataDir(dataDir: string): void {
  const cluster = join(dataDir, 'postgres');
  if (existsSync(cluster)) rmSync(realpathSync(cluster), { recursive: true, force: true, maxRetries: 5 });
  rmSync(dataDir, { recursive: true, force: true });
}
