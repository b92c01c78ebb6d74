import { readFileSync } from 'node:fs';
import { manifests } from './manifests.js';
import { newSecret } from './secret.js';
import type { Values } from './values.js';

const USE = `Usage: npm run --silent kubernetes -- <values>
       npm run --silent kubernetes -- <values> --new-secret <file of the database URL> [file of the replica's URL]
<values> is the name of a file in deploy/kubernetes/values.
`;

/** Prints the manifests for one file of values, or a new secret for it. */
async function main([name, flag, ...files]: string[]): Promise<void> {
  const isSecret = flag === '--new-secret' && files.length > 0;
  if (!/^[\w-]+$/.test(name ?? '') || (flag !== undefined && !isSecret)) {
    process.stderr.write(USE);
    process.exit(2);
  }
  const { values } = (await import(`./values/${name}.js`)) as { values: Values };
  if (!isSecret) return void process.stdout.write(manifests(values));
  const [url, replicaUrl] = files.map((file) => readFileSync(file, 'utf8').trim());
  const wanted = values.usesReplicaDatabase ? 2 : 1;
  if (files.length !== wanted) {
    process.stderr.write(
      `The values ${name} need ${wanted === 1 ? 'one file' : 'two files'} of URLs.\n\n${USE}`,
    );
    process.exit(2);
  }
  const replica = values.usesReplicaDatabase && { 'database-replica-url': replicaUrl };
  process.stdout.write(newSecret(values.secretName, { 'database-url': url, ...replica }));
}

void main(process.argv.slice(2));
