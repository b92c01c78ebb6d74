import { existsSync, readFileSync, realpathSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirectoryInUseError } from './embedded-errors';
import { EmbeddedPostgres, embeddedUrl } from './embedded-postgres';

/** The embedded database, for a command that may run beside the service. */
export interface EmbeddedAccess {
  /** Connection URL of the service's role. Security: it contains the password. */
  url: string;
  /** Whether a service uses the database at the same time. */
  isShared: boolean;
  /** Stops the server, if this process has started it. */
  close(): Promise<void>;
}

/**
 * Starts the embedded database of a data directory, or uses the server of the service that has it.
 *
 * @throws EmbeddedDatabaseError
 */
export async function openEmbedded(
  dataDir: string,
  password: string,
  log: (line: string) => void,
): Promise<EmbeddedAccess> {
  try {
    const server = await EmbeddedPostgres.start({ dataDir, password, log });
    return { url: server.url, isShared: false, close: () => server.stop() };
  } catch (error) {
    if (!(error instanceof DataDirectoryInUseError)) throw error;
    return { url: embeddedUrl(password, portOf(dataDir)), isShared: true, close: () => Promise.resolve() };
  }
}

/**
 * Renames the cluster of a data directory, so that the next start makes a new one.
 *
 * @returns the path and the new path, or `undefined` if there is no cluster.
 * @throws DataDirectoryInUseError while its server runs.
 */
export function putClusterAside(dataDir: string): { live: string; kept: string } | undefined {
  const cluster = join(dataDir, 'postgres');
  if (!existsSync(cluster)) return undefined;
  const folder = realpathSync(cluster);
  if (existsSync(join(folder, 'postmaster.pid')))
    throw new DataDirectoryInUseError(
      `The database in ${dataDir} is in use, or was not shut down: stop the service first.`,
    );
  const kept = `${folder}.${new Date().toISOString().replace(/[:.]/g, '-')}`;
  renameSync(folder, kept);
  return { live: folder, kept };
}

/** The port is in the fourth line of the file that a running server keeps. */
function portOf(dataDir: string): number {
  const path = join(realpathSync(join(dataDir, 'postgres')), 'postmaster.pid');
  return Number(readFileSync(path, 'utf8').split('\n')[3]);
}
