import { randomBytes } from 'node:crypto';
import { Yaml } from 'cdk8s';
import type { ISecret } from 'kubernetes-models/v1';
import { LABELS } from './names.js';

const HOUR_MS = 3_600_000;

/** What is replaced in rounds: until `lastsMs` after the second round something still needs the old value. */
const ROTATIONS = {
  jwt: {
    file: 'jwt-secret',
    lastsMs: 30 * 24 * HOUR_MS,
    why: 'Sessions still have tokens of the old secret.',
  },
  'second-step': {
    file: 'second-step-secret',
    // Within an hour everything is encrypted anew.
    lastsMs: 2 * HOUR_MS,
    why: 'Something may still be encrypted with the old secret.',
  },
};

export type Rotation = keyof typeof ROTATIONS;

export const isRotation = (name: string): name is Rotation => name in ROTATIONS;

/** The annotations that say which round of a rotation was the last one, and when. */
const stepOf = (name: Rotation) => `health-records-service/${name}-step`;
const stepAtOf = (name: Rotation) => `${stepOf(name)}-at`;

/** What `kubectl get secret --output json` prints. Its values are base64. */
export interface PresentSecret {
  kind?: string;
  metadata?: { name?: string; annotations?: Record<string, string> };
  data?: Record<string, string>;
}

/** The command cannot be carried out. The message is a sentence for an operator. */
export class SecretError extends Error {}

/** The next secret, and what has to be done with it. */
export interface NextSecret {
  yaml: string;
  /** For the file of values. */
  values: { secretName: string; hasPreviousJwtSecret: boolean; hasPreviousSecondStepSecret: boolean };
}

/**
 * A secret with new random values, as YAML. Make it once: the service does not start with other values on the same
 * database. It is immutable: a change is a secret with the next number, so that a rollback of the pods goes back to the
 * values of before.
 *
 * @param name ends with a number. @param databaseUrls `database-url`, and `database-replica-url` if there is a replica.
 */
export function newSecret(name: string, databaseUrls: Record<string, string>): string {
  return secret(name, {
    ...databaseUrls,
    'jwt-secret': random(),
    'decoy-secret': random(),
    'second-step-secret': random(),
    'vapid-private-key': random(),
  });
}

/**
 * The next round of a rotation, from the present secret: a new value that is read and not used yet; then that value is used,
 * and the old one is read; when nothing needs it any more, the old one goes. Everything else stays.
 *
 * @throws SecretError if the present secret is none of the service, or for the last round too early.
 */
export function rotate(present: PresentSecret, name: Rotation, now = new Date()): NextSecret {
  const { file, lastsMs, why } = ROTATIONS[name];
  const { [file]: used, [`${file}-previous`]: other, ...rest } = filesOf(present);
  if (used === undefined) throw new SecretError(`The present secret lacks ${file}.`);
  const annotations = present.metadata?.annotations ?? {};
  const to = (step: string, files: Record<string, string>) =>
    next(present, { ...rest, ...files }, { [stepOf(name)]: step, [stepAtOf(name)]: now.toISOString() });
  if (other === undefined) return to('announced', { [file]: used, [`${file}-previous`]: random() });
  if (annotations[stepOf(name)] === 'announced')
    return to('used', { [file]: other, [`${file}-previous`]: used });
  const end = new Date(Date.parse(annotations[stepAtOf(name)] ?? '') + lastsMs);
  if (now >= end) return to('done', { [file]: used });
  const when = Number.isNaN(end.getTime()) ? 'the time that docs/production.md names' : end.toISOString();
  throw new SecretError(`${why} Run this again after ${when}.`);
}

/** The next secret with other files, such as a new `database-url`. Everything else stays. */
export function replaceFiles(present: PresentSecret, files: Record<string, string>): NextSecret {
  return next(present, { ...filesOf(present), ...files }, {});
}

function next(
  present: PresentSecret,
  files: Record<string, string>,
  steps: Record<string, string>,
): NextSecret {
  const { name, annotations: before = {} } = present.metadata!;
  const [, stem, number] = /^(.*?)(?:-(\d+))?$/.exec(name!)!;
  const secretName = `${stem}-${Number(number ?? 1) + 1}`;
  const kept = Object.entries(before).filter(([key]) => key.startsWith('health-records-service/'));
  const hasPrevious = (of: Rotation) => files[`${ROTATIONS[of].file}-previous`] !== undefined;
  return {
    yaml: secret(secretName, files, { ...Object.fromEntries(kept), ...steps }),
    values: {
      secretName,
      hasPreviousJwtSecret: hasPrevious('jwt'),
      hasPreviousSecondStepSecret: hasPrevious('second-step'),
    },
  };
}

function filesOf({ kind, metadata, data }: PresentSecret): Record<string, string> {
  const files = Object.fromEntries(
    Object.entries(data ?? {}).map(([name, value]) => [name, Buffer.from(value, 'base64').toString()]),
  );
  const missing = ['database-url', 'jwt-secret', 'decoy-secret'].filter((name) => !files[name]);
  if (kind !== 'Secret' || !metadata?.name || missing.length > 0)
    throw new SecretError(
      'Standard input must be the present secret: kubectl get secret <name> --output json.' +
        (kind === 'Secret' ? ` It lacks ${missing.join(', ')}.` : ''),
    );
  return files;
}

function secret(
  name: string,
  files: Record<string, string>,
  annotations: Record<string, string> = {},
): string {
  const isNoted = Object.keys(annotations).length > 0;
  const object: ISecret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, labels: LABELS, ...(isNoted && { annotations }) },
    type: 'Opaque',
    immutable: true,
    stringData: files,
  };
  return Yaml.stringify(object);
}

function random(): string {
  return randomBytes(32).toString('hex');
}
