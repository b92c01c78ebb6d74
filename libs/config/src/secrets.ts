import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, type ServiceConfig } from './service-config';

/** The secrets of one installation. Security: never logged, never in an error. */
export interface Secrets {
  jwtSecret: string;
  /** Verifies tokens and never signs any. */
  jwtSecretPrevious?: string;
  decoySecret: string;
  secondStepSecret: string;
  /** Decrypts and never encrypts. */
  secondStepSecretPrevious?: string;
  /** base64url. Absent in production if it was not given: then no reminders are sent. */
  vapidPrivateKey?: string;
}

/**
 * The secrets from the settings. Outside production, a missing secret is created once and kept in
 * `DATA_DIR/secrets` (mode 0600, in a folder of mode 0700), so that tokens remain valid after a restart.
 */
export function resolveSecrets(config: ServiceConfig): Secrets {
  const vapidPrivateKey =
    config.vapidPrivateKey ??
    (config.nodeEnv === 'production' ? undefined : keptSecret(config.dataDir, 'vapid'));
  return {
    jwtSecret: config.jwtSecret ?? keptSecret(config.dataDir, 'jwt'),
    ...(config.jwtSecretPrevious === undefined ? {} : { jwtSecretPrevious: config.jwtSecretPrevious }),
    decoySecret: config.decoySecret ?? keptSecret(config.dataDir, 'decoy'),
    secondStepSecret: config.secondStepSecret ?? keptSecret(config.dataDir, 'second-step'),
    ...(config.secondStepSecretPrevious === undefined
      ? {}
      : { secondStepSecretPrevious: config.secondStepSecretPrevious }),
    ...(vapidPrivateKey === undefined ? {} : { vapidPrivateKey }),
  };
}

/**
 * The secret with this name under `dataDir/secrets`. The first call creates it. Two processes that create it
 * at the same time get the same secret.
 *
 * @returns 43 characters of base64url, 256 bits.
 */
export function keptSecret(dataDir: string, name: string): string {
  const folder = join(dataDir, 'secrets');
  const path = join(folder, name);
  try {
    return readKept(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unusable(dataDir, error);
  }
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    mkdirSync(dataDir, { recursive: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
    try {
      // Creating a link fails if the name exists. Of two processes, one succeeds, and both read its secret.
      linkSync(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft);
    }
    return readKept(path);
  } catch (error) {
    throw unusable(dataDir, error);
  }
}

function readKept(path: string): string {
  const text = readFileSync(path, 'utf8').trim();
  if (Buffer.byteLength(text) < 32)
    throw new ConfigError(`The secret in ${path} is too short: restore it from a backup.`);
  return text;
}

function unusable(dataDir: string, error: unknown): Error {
  if (error instanceof ConfigError) return error;
  return new ConfigError(
    `The service cannot start: DATA_DIR (${dataDir}) cannot be written (${(error as NodeJS.ErrnoException).code ?? 'error'}).`,
  );
}
