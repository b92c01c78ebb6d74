import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { manifests } from './manifests.js';
import { monitoring } from './monitoring.js';
import {
  isRotation,
  newSecret,
  type NextSecret,
  type PresentSecret,
  replaceFiles,
  rotate,
  SecretError,
} from './secret.js';
import type { Values } from './values.js';

const USE = `Usage: npm run --silent kubernetes -- <values>
       npm run --silent kubernetes -- <values> --monitoring
       npm run --silent kubernetes -- <values> --new-secret <file of the database URL> [file of the replica's URL]
       npm run --silent kubernetes -- <values> --rotate jwt|second-step < present secret
       npm run --silent kubernetes -- <values> --rotate database-url|smtp-url <file> < present secret
<values> is the name of a file in deploy/kubernetes/values. The present secret: kubectl get secret <name> --output json
`;
/** Files of the secret that hold a URL, with its schemes. */
const URLS: Record<string, RegExp> = {
  'database-url': /^postgres(ql)?:\/\/\S+$/,
  'database-replica-url': /^postgres(ql)?:\/\/\S+$/,
  'smtp-url': /^smtps?:\/\/\S+$/,
};

/** Prints the manifests for one file of values, or a secret for it. */
async function main([name = '', flag, ...rest]: string[]): Promise<void> {
  const compiled = join(__dirname, 'values');
  const known = readdirSync(compiled)
    .filter((file) => file.endsWith('.js'))
    .map((file) => basename(file, '.js'));
  if (!known.includes(name))
    wrongUse(`There are no values ${name || 'without a name'}: ${known.join(', ')}.`);
  const { values } = (await import(`./values/${name}.js`)) as { values: Values };
  if (flag === undefined) return print(manifests(values));
  if (flag === '--monitoring' && rest.length === 0) return print(monitoring());
  if (flag === '--new-secret' && rest.length > 0) return print(secretFor(name, values, rest));
  if (flag === '--rotate' && rest.length > 0) return printNext(nextSecret(rest));
  wrongUse('');
}

function secretFor(name: string, values: Values, files: string[]): string {
  const wanted = values.usesReplicaDatabase ? 2 : 1;
  if (files.length !== wanted)
    wrongUse(`The values ${name} need ${wanted === 1 ? 'one file' : 'two files'} of URLs.`);
  const [url, replicaUrl] = files.map((file) => urlIn(file, 'database-url'));
  const replica = values.usesReplicaDatabase && { 'database-replica-url': replicaUrl };
  return newSecret(values.secretName, { 'database-url': url, ...replica });
}

function nextSecret([what, file, ...more]: string[]): NextSecret {
  if (isRotation(what) && file === undefined) return rotate(presentSecret(), what);
  if (!(what in URLS) || file === undefined || more.length > 0)
    wrongUse('Name what to replace: jwt or second-step, or database-url or smtp-url with a file.');
  return replaceFiles(presentSecret(), { [what]: urlIn(file, what) });
}

function presentSecret(): PresentSecret {
  try {
    return JSON.parse(readFileSync(0, 'utf8')) as PresentSecret;
  } catch {
    return {};
  }
}

function urlIn(file: string, what: string): string {
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (!URLS[what].test(text))
    wrongUse(`${file} is no file with a URL of ${what === 'smtp-url' ? 'a mail server' : 'PostgreSQL'}.`);
  return text;
}

function print(yaml: string): void {
  process.stdout.write(yaml);
}

function printNext({ yaml, values }: NextSecret): void {
  print(yaml);
  process.stderr
    .write(`Create this secret, write these values, apply the manifests, and wait for the roll-out:
  secretName: '${values.secretName}',
  hasPreviousJwtSecret: ${values.hasPreviousJwtSecret},
  hasPreviousSecondStepSecret: ${values.hasPreviousSecondStepSecret},
Delete the former secret when nothing uses it any more.
`);
}

function wrongUse(sentence: string): never {
  process.stderr.write(`${sentence}${sentence && '\n\n'}${USE}`);
  process.exit(2);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof SecretError ? error.message : String(error)}\n`);
  process.exit(1);
});
