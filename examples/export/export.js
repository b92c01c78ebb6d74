import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { HealthRecordsClient, localDate } from '@health-records/client';
import { exportFhir } from '@health-records/client/fhir';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    email: { type: 'string' },
    format: { type: 'string', default: 'json' },
    out: { type: 'string', default: '.' },
  },
});
const { url, email, format, out } = values;
if (!email || !['json', 'fhir'].includes(format)) {
  console.error('npm run export -- --email <email> [--format json|fhir] [--url <service>] [--out <folder>]');
  process.exit(2);
}

const client = new HealthRecordsClient({ baseUrl: url });
await client.login(email, process.env.HEALTH_PASSWORD ?? (await ask('Password: ')));
try {
  const document = await client.transfer.exportAll();
  await mkdir(out, { recursive: true });
  if (format === 'json') await save('health-records.json', document);
  for (const profile of format === 'fhir' ? document.profiles : []) {
    const now = new Date();
    const today = localDate(now, Intl.DateTimeFormat().resolvedOptions().timeZone);
    // A name is no safe name of a file.
    await save(`profile-${profile.id}.fhir.json`, await exportFhir(profile, { now, today }));
  }
} finally {
  await client.logout();
}

/** Never over a file that exists, and for this user only: it is plaintext. */
async function save(name, content) {
  const path = join(out, name);
  await writeFile(path, `${JSON.stringify(content, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
  console.log(path);
}

async function ask(question) {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(question);
  terminal.close();
  return answer;
}
