import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The embedded database cannot be used. The message is for an operator. */
export class EmbeddedDatabaseError extends Error {
  override readonly name: string = 'EmbeddedDatabaseError';
}

/** Another service uses the data directory. */
export class DataDirectoryInUseError extends EmbeddedDatabaseError {
  override readonly name = 'DataDirectoryInUseError';
}

/**
 * Whether a cluster exists. PostgreSQL reads only clusters of its own major version.
 *
 * @param major version of the programs, such as `18`.
 * @throws EmbeddedDatabaseError for a cluster of another version; it names both, and the way out.
 */
export function findCluster(clusterDir: string, major: string): boolean {
  const path = join(clusterDir, 'PG_VERSION');
  if (!existsSync(path)) return false;
  const found = readFileSync(path, 'utf8').trim();
  if (found === major) return true;
  throw new EmbeddedDatabaseError(
    `The database in ${clusterDir} is one of PostgreSQL ${found}, and this release brings PostgreSQL ${major}. ` +
      `Save it with the release that made it ("npm run ops -- backup <folder>"), ` +
      `then move it with this one ("npm run ops -- upgrade-embedded <folder>").`,
  );
}
