import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const MANIFEST = 'manifest.json';
const FORMAT = 1;

/** One table in a backup: the file `<name>.copy.gz`, in the text format of `COPY`. */
export interface BackupTable {
  name: string;
  columns: string[];
  rows: number;
  /** Of the file, hexadecimal. */
  sha256: string;
}

/** The file `manifest.json` of a backup. It is written last, so an incomplete backup has none. */
export interface BackupManifest {
  format: typeof FORMAT;
  made_at: string;
  epoch: string | null;
  /** The migrations that had run, oldest first. */
  migrations: string[];
  /** Parents before children. */
  tables: BackupTable[];
}

/** A backup cannot be made or restored. The message is a sentence for an operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

export function manifestPath(folder: string): string {
  return join(folder, MANIFEST);
}

export function tablePath(folder: string, { name }: Pick<BackupTable, 'name'>): string {
  return join(folder, `${name}.copy.gz`);
}

export function makeManifest(content: Omit<BackupManifest, 'format' | 'made_at'>): BackupManifest {
  return { format: FORMAT, made_at: new Date().toISOString(), ...content };
}

/**
 * Reads the manifest of a backup and checks every file of it.
 *
 * @throws BackupError if the folder is no complete backup, or if a file has changed.
 */
export async function readBackup(folder: string): Promise<BackupManifest> {
  let manifest: BackupManifest;
  try {
    manifest = JSON.parse(await readFile(manifestPath(folder), 'utf8')) as BackupManifest;
  } catch {
    throw new BackupError(`There is no complete backup in ${folder}.`);
  }
  if (manifest.format !== FORMAT)
    throw new BackupError(`The backup in ${folder} has a format that this version does not read.`);
  for (const table of manifest.tables) {
    const hash = createHash('sha256');
    try {
      await pipeline(createReadStream(tablePath(folder, table)), hash);
    } catch {
      throw new BackupError(`The backup in ${folder} lacks the table ${table.name}.`);
    }
    if (hash.digest('hex') !== table.sha256)
      throw new BackupError(`The table ${table.name} in ${folder} has changed since the backup was made.`);
  }
  return manifest;
}
