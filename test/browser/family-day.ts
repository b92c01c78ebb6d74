import { mnemonicToEntropy } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { join } from 'node:path';
import { anEmail } from '../support/factories';
import type { Secret } from '../support/traces';
import type { Stage } from './browser';

/** All that is typed on that day and must stay on the device. */
export const TYPED = {
  password: 'Kräuterquark am Sonntag',
  nextPassword: 'Haferbrei am Montagmorgen',
  recoveredPassword: 'Linseneintopf am Dienstag',
  filePassword: 'Rhabarberkuchen am Mittwoch',
  otherPassword: 'Pflaumenmus am Donnerstag',
  mother: 'Ottilie Quendelbrück',
  daughter: 'Philippa Quendelbrück',
  dog: 'Wuschel vom Quendelhof',
  birthDate: '1984-02-29',
  anticoagulant: 'Warfarin',
  painkiller: 'Ibuprofen',
  strength: '400 mg film-coated',
  prescriber: 'Dr. Zwetschgenbaum',
  medicationNote: 'nach dem Frühstück, nie nüchtern',
  appointment: 'Zahnarzt Dr. Mirabelle',
  startsAt: '2026-12-24T09:30:00+01:00',
  location: 'Holunderweg 17',
  metric: 'blood_pressure',
  unit: 'mm[Hg]',
  reading: 123.456789,
  readingNote: 'nach dem Treppensteigen',
};

const DAY_MS = 86_400_000;
const TIME_ZONE = 'Europe/Berlin';

declare global {
  var observedKeys: { what: string; base64: string }[];
}

/** Everything that a browser sent, as requests it made itself tell it. */
export class Capture {
  readonly #requests: Request[] = [];

  watch(context: BrowserContext): void {
    context.on('request', (request) => this.#requests.push(request));
  }

  get count(): number {
    return this.#requests.length;
  }

  /** `METHOD address`, headers and body of each, by a name that says which. */
  async read(): Promise<Map<string, Buffer>> {
    const sent = new Map<string, Buffer>();
    for (const [at, request] of this.#requests.entries()) {
      const line = `${request.method()} ${request.url()}`;
      const headers = (await request.headersArray()).map(({ name, value }) => `${name}: ${value}`);
      const head = Buffer.from(`${[line, ...headers].join('\r\n')}\r\n\r\n`);
      sent.set(`${at} ${line}`, Buffer.concat([head, request.postDataBuffer() ?? Buffer.alloc(0)]));
    }
    return sent;
  }
}

/** What the day came to. */
export interface FamilyDay {
  sent: Map<string, Buffer>;
  /** What must not be in it, and what must, since the service lives by it. */
  secrets: Secret[];
  proofs: Secret[];
  phrase: string;
  profiles: { name: string; kind: string }[];
  adherence: { takenDoses: number; scheduledDoses: number | null; adherenceRate: number | null };
  statuses: string[];
  trend: { count: number; unit: string | null; mean: number | null; slopePerDay: number | null };
  findings: { human: string[]; dog: string[] };
  /** What the first profile was told when the second one recovered the account. */
  endedBecause: string;
  recoveredNames: string[];
  imported: { created: number; skipped: number };
  /** Readable exports without their time: of the account, and of the one into which it was imported. */
  exports: [string, string];
  /** Beginning of the encrypted file, as text. */
  fileHead: string;
  unlockMs: number[];
}

/** A family's day in three browser profiles: at home, at recovery on a new device, and a second account. */
export async function liveFamilyDay(stage: Stage): Promise<FamilyDay> {
  const capture = new Capture();
  const profile = () =>
    stage.profile(async (context) => {
      capture.watch(context);
      await context.addInitScript({ path: join(__dirname, 'page/observe-keys.js') });
    });
  const [home, abroad, other] = [
    await stage.tab(await profile()),
    await stage.tab(await profile()),
    await stage.tab(await profile()),
  ];
  const account = { url: stage.proxy.url, email: anEmail(), ...TYPED };

  const { phrase, motherId } = await register(home, account);
  const { profiles, dogId } = await addFamily(home);
  const { medicationId, findings } = await prescribe(home, { motherId, dogId });
  const adherence = await takeDoses(home, medicationId);
  const statuses = await keepAppointments(home, motherId);
  const trend = await measure(home, motherId);
  const unlockMs = await unlockTwice(home);
  await home.evaluate(
    ({ password, nextPassword }) => inPage.client.changePassword(password, nextPassword),
    TYPED,
  );

  const recoveredNames = await recover(abroad, { ...account, phrase });
  const endedBecause = await home.evaluate(async () => {
    const reason = new Promise<string>((resolve) =>
      inPage.client.on('session-ended', (event) => resolve(event.reason)),
    );
    await inPage.client.profiles.list().catch(() => undefined);
    return reason;
  });
  const file = await abroad.evaluate(async ({ filePassword }) => {
    const bytes = await inPage.client.transfer.exportEncrypted({ password: filePassword });
    return { bytes: [...bytes], readable: await inPage.client.transfer.exportReadable() };
  }, TYPED);
  const { imported, readable } = await importInto(other, { ...account, email: anEmail() }, file.bytes);

  const keys: Secret[] = [];
  for (const page of [home, abroad, other])
    for (const { what, base64 } of await page.evaluate(() => observedKeys))
      keys.push({ what, value: Buffer.from(base64, 'base64') });
  const isProof = ({ what }: Secret) => /\/(auth|proof)$/.test(what);
  return {
    sent: await capture.read(),
    secrets: [...typedSecrets(phrase), ...keys.filter((key) => !isProof(key))],
    proofs: keys.filter(isProof),
    phrase,
    profiles,
    adherence,
    statuses,
    trend,
    findings,
    endedBecause,
    recoveredNames,
    imported,
    exports: [withoutTime(file.readable), withoutTime(readable)],
    fileHead: Buffer.from(file.bytes.slice(0, 6)).toString('latin1'),
    unlockMs,
  };
}

function register(page: Page, account: typeof TYPED & { url: string; email: string }) {
  return page.evaluate(async ({ url, email, password, mother, birthDate }) => {
    const { library, openClient } = inPage;
    inPage.client = openClient(url);
    const recoveryPhrase = await library.generateRecoveryPhrase();
    const profile = { details: { name: mother, birthDate } };
    await inPage.client.register({ email, password, recoveryPhrase, profile });
    const [{ id }] = await inPage.client.profiles.list();
    return { phrase: recoveryPhrase, motherId: id };
  }, account);
}

function addFamily(page: Page) {
  return page.evaluate(async ({ daughter, dog }) => {
    const { profiles } = inPage.client;
    await profiles.create({ relationship: 'child', details: { name: daughter } });
    const pet = { kind: 'pet', relationship: 'pet', details: { name: dog, species: 'dog' } } as const;
    const { id } = await profiles.create(pet);
    const all = await profiles.list();
    return { dogId: id, profiles: all.map(({ kind, details }) => ({ kind, name: details.name })) };
  }, TYPED);
}

function prescribe(page: Page, ids: { motherId: string; dogId: string }) {
  return page.evaluate(
    async ({ motherId, dogId, anticoagulant, painkiller, strength, prescriber, medicationNote }) => {
      const { client } = inPage;
      const details = { strength, prescriber, notes: medicationNote };
      const schedule = { timesPerDay: 2, daysOfWeek: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] };
      const { id } = await client.medications.create({
        profileId: motherId,
        route: 'oral',
        schedule,
        details: { name: anticoagulant, ...details },
      });
      for (const profileId of [motherId, dogId])
        await client.medications.create({
          profileId,
          route: 'oral',
          schedule: null,
          details: { name: painkiller, ...details },
        });
      const kindsOf = async (profileId: string) =>
        (await client.checkInteractionsOf(profileId)).map(({ kind }) => kind);
      return { medicationId: id, findings: { human: await kindsOf(motherId), dog: await kindsOf(dogId) } };
    },
    { ...TYPED, ...ids },
  );
}

function takeDoses(page: Page, medicationId: string) {
  return page.evaluate(
    async ({ id, dayMs, timeZone }) => {
      const { medications } = inPage.client;
      const at = (days: number) => new Date(Date.now() - days * dayMs);
      await medications.logDose(id, { taken: true });
      await medications.logDose(id, { taken: true, loggedAt: at(1) });
      await medications.logDose(id, { taken: false, loggedAt: at(2) });
      const mistaken = await medications.logDose(id, { taken: true });
      await medications.deleteDose(id, mistaken.id);
      const { takenDoses, scheduledDoses, adherenceRate } = await medications.adherence(id, { timeZone });
      return { takenDoses, scheduledDoses, adherenceRate };
    },
    { id: medicationId, dayMs: DAY_MS, timeZone: TIME_ZONE },
  );
}

function keepAppointments(page: Page, profileId: string) {
  return page.evaluate(
    async ({ profileId, appointment, startsAt, location }) => {
      const { appointments } = inPage.client;
      const details = { title: appointment, startsAt, location };
      const first = await appointments.create({ profileId, status: 'scheduled', details });
      await appointments.create({ profileId, status: 'scheduled', details });
      await appointments.update(first, { status: 'completed' });
      return (await appointments.list({ profileId })).map(({ status }) => status).sort();
    },
    { ...TYPED, profileId },
  );
}

function measure(page: Page, profileId: string) {
  return page.evaluate(
    async ({ profileId, metric, unit, reading, readingNote, dayMs, timeZone }) => {
      const { healthStats } = inPage.client;
      const noon = Date.parse('2026-11-01T12:00:00Z');
      for (const day of [0, 1, 2, 3])
        await healthStats.create({
          profileId,
          recordedAt: new Date(noon + day * dayMs).toISOString(),
          details: { metric, unit, values: { systolic: reading - 2 * day }, note: readingNote },
        });
      const { count, mean, slopePerDay, ...trend } = await healthStats.trend({
        profileId,
        metric,
        component: 'systolic',
        timeZone,
      });
      return { count, unit: trend.unit, mean, slopePerDay };
    },
    { ...TYPED, profileId, dayMs: DAY_MS, timeZone: TIME_ZONE },
  );
}

/** From the password to the first readable record. */
function unlockTwice(page: Page) {
  return page.evaluate(async ({ password }) => {
    const times: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      inPage.client.lock();
      const start = performance.now();
      await inPage.client.unlock(password);
      await inPage.client.profiles.list();
      times.push(performance.now() - start);
    }
    return times;
  }, TYPED);
}

function recover(page: Page, account: typeof TYPED & { url: string; email: string; phrase: string }) {
  return page.evaluate(async ({ url, email, phrase, recoveredPassword }) => {
    inPage.client = inPage.openClient(url);
    // As a person types it.
    await inPage.client.recover(email, ` ${phrase.toUpperCase().replaceAll(' ', '\n')} `, recoveredPassword);
    return (await inPage.client.profiles.list()).map(({ details }) => details.name);
  }, account);
}

function importInto(page: Page, account: typeof TYPED & { url: string; email: string }, bytes: number[]) {
  return page.evaluate(
    async ({ url, email, otherPassword, filePassword, bytes }) => {
      const client = (inPage.client = inPage.openClient(url));
      await client.register({ email, password: otherPassword, recoveryPhrase: null });
      const document = await client.transfer.readFile(new Uint8Array(bytes), { password: filePassword });
      const imported = await client.transfer.importAll(document);
      return { imported, readable: await client.transfer.exportReadable() };
    },
    { ...account, bytes },
  );
}

function withoutTime(readable: string): string {
  return JSON.stringify({ ...(JSON.parse(readable) as object), exportedAt: undefined });
}

/** The phrase in whole, as its entropy and in pairs of words: single ones are words of everyday requests. */
function typedSecrets(phrase: string): Secret[] {
  // The unit of a series is shorter than what can be searched for.
  const typed = Object.entries(TYPED).filter(([what]) => what !== 'unit');
  const words = phrase.split(' ');
  const pairs = words.slice(1).map((word, at) => `${words[at]} ${word}`);
  return [
    ...typed.map(([what, value]) => ({ what, value: String(value) })),
    { what: 'phrase', value: phrase },
    { what: 'entropy of the phrase', value: mnemonicToEntropy(phrase, wordlist) },
    ...pairs.map((pair) => ({ what: `words of the phrase: ${pair}`, value: pair })),
  ];
}
