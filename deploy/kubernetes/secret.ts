import { randomBytes } from 'node:crypto';
import { Yaml } from 'cdk8s';
import type { ISecret } from 'kubernetes-models/v1';
import { LABELS } from './names.js';

/** When the secret of tokens was last changed, and which step of a rotation that was. */
const STEP = 'health-records-service/jwt-step';
const STEP_AT = 'health-records-service/jwt-step-at';
/** A refresh token is good for 30 days. */
const DAYS_UNTIL_END = 30;

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
  values: { secretName: string; hasPreviousJwtSecret: boolean };
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
 * The next step of the rotation of `JWT_SECRET`, from the present secret: a new value that verifies and does not sign yet;
 * then that value signs, and the old one verifies; after 30 days the old one goes. Everything else stays.
 *
 * @throws SecretError if the present secret is none of the service, or for the last step before 30 days have passed.
 */
export function rotateJwt(present: PresentSecret, now = new Date()): NextSecret {
  const files = filesOf(present);
  const { 'jwt-secret': signing, 'jwt-secret-previous': other, ...rest } = files;
  const step = present.metadata?.annotations?.[STEP];
  if (other === undefined)
    return next(present, { ...files, 'jwt-secret-previous': random() }, 'announced', now);
  if (step === 'announced')
    return next(present, { ...rest, 'jwt-secret': other, 'jwt-secret-previous': signing! }, 'signs', now);
  const since = Date.parse(present.metadata?.annotations?.[STEP_AT] ?? '');
  const end = new Date(since + DAYS_UNTIL_END * 86_400_000);
  if (!(now >= end))
    throw new SecretError(
      `Sessions still have tokens of the old secret. Run this again after ${Number.isNaN(since) ? 'the 30 days' : end.toISOString().slice(0, 10)}.`,
    );
  return next(present, { ...rest, 'jwt-secret': signing! }, 'done', now);
}

/** The next secret with other files, such as a new `database-url`. Everything else stays. */
export function replaceFiles(present: PresentSecret, files: Record<string, string>): NextSecret {
  const { [STEP]: step, [STEP_AT]: at } = present.metadata?.annotations ?? {};
  return next(present, { ...filesOf(present), ...files }, step, at === undefined ? undefined : new Date(at));
}

function next(
  present: PresentSecret,
  files: Record<string, string>,
  step: string | undefined,
  at: Date | undefined,
): NextSecret {
  const name = present.metadata!.name!;
  const [, stem, number] = /^(.*?)(?:-(\d+))?$/.exec(name)!;
  const secretName = `${stem}-${Number(number ?? 1) + 1}`;
  const annotations = step && at ? { [STEP]: step, [STEP_AT]: at.toISOString() } : undefined;
  return {
    yaml: secret(secretName, files, annotations),
    values: { secretName, hasPreviousJwtSecret: files['jwt-secret-previous'] !== undefined },
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

function secret(name: string, files: Record<string, string>, annotations?: Record<string, string>): string {
  const object: ISecret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, labels: LABELS, ...(annotations && { annotations }) },
    type: 'Opaque',
    immutable: true,
    stringData: files,
  };
  return Yaml.stringify(object);
}

function random(): string {
  return randomBytes(32).toString('hex');
}
