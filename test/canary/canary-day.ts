import { createECDH, randomBytes } from 'node:crypto';
import { type HealthRecordsClient, MemorySessionStore, newId } from '@app/client';
import { memoryOfflineStore } from '@app/client/offline';
import { Secret as OtpSecret, TOTP } from 'otpauth';
import { webPasskeys } from '../../libs/client/src/passkeys';
import { withSeeds } from '../../libs/client/src/spaces/formats/identity';
import { newSpacePerson } from '../../libs/client/src/testing/space-people';
import { Browser } from '../support/authenticator-browser';
import { openClient } from '../support/people';
import type { Secret } from '../support/traces';
import { HIDDEN, VISIBLE } from './canaries';
import type { Witness } from './witness';

const EMAIL = VISIBLE.email.value;
const FIRST_EMAIL = VISIBLE['email before it was changed'].value;
const LABEL = VISIBLE['label of a device'].value;

/** What is left at the end of the day. */
export interface CanaryDay {
  /** Readable again on a new device, so that what was stored is what was typed. */
  recoveredNames: string[];
  /** Of the account that is still there. */
  token: string;
  refreshToken: string;
  /** From before the recovery: of no more use. */
  oldToken: string;
  profileId: string;
  /** Made on the way: the secret of an app for codes, tickets, and what an authenticator gave out. */
  secrets: Secret[];
}

/** A full day with the client library: on a first device, on a second one, and after everything was forgotten. */
export async function liveCanaryDay(url: string, witness: Witness): Promise<CanaryDay> {
  const sessionStore = new MemorySessionStore();
  const open = (options = {}) => openClient(url, { fetch: witness.fetch, ...options });
  const browser = new Browser();
  const first = open({ sessionStore, passkeys: webPasskeys(browser) });
  await first.register({
    email: FIRST_EMAIL,
    password: HIDDEN.password,
    recoveryPhrase: null,
    profile: { details: { name: HIDDEN.mother, birthDate: HIDDEN.birthDate } },
    deviceLabel: LABEL,
  });
  await first.setRecoveryPhrase(HIDDEN.password, HIDDEN.phrase);
  const [{ id: profileId }] = await first.profiles.list();
  await addFamily(first, profileId);
  await keepRecords(first, profileId);
  await askAboutInteractions(first, profileId);
  const ofApp = await protectAccount(first);
  await wantReminders(first);
  await first.changePassword(HIDDEN.password, HIDDEN.nextPassword);
  await first.changeEmail(EMAIL, HIDDEN.nextPassword);
  const oldToken = sessionStore.read()!.accessToken;

  const second = open();
  await mustFail(second.login(EMAIL, HIDDEN.wrongPassword));
  await second.login(EMAIL, HIDDEN.nextPassword, { deviceLabel: LABEL });
  await second.medications.list();
  await second.sessions.list();
  await second.securityEvents.list();
  await second.logout();

  const recovered = open();
  await recovered.verifyRecoveryPhrase(EMAIL, HIDDEN.wrongPhrase);
  await mustFail(recovered.recover(EMAIL, HIDDEN.wrongPhrase, HIDDEN.recoveredPassword));
  await recovered.verifyRecoveryPhrase(EMAIL, HIDDEN.phrase);
  await recovered.recover(EMAIL, HIDDEN.phrase, HIDDEN.recoveredPassword, { deviceLabel: LABEL });
  const file = await recovered.transfer.exportEncrypted({ password: HIDDEN.filePassword });
  await comeAndGo(open(), file);
  const recoveredNames = (await recovered.profiles.list()).map(({ details }) => details.name);

  const replacedStore = new MemorySessionStore();
  const replaced = open({ sessionStore: replacedStore, offline: memoryOfflineStore() });
  replaced.sync.stop();
  await replaced.login(EMAIL, HIDDEN.recoveredPassword, { deviceLabel: LABEL });
  await replaced.rotateKeys({
    currentPassword: HIDDEN.recoveredPassword,
    newPassword: HIDDEN.replacedPassword,
    recoveryPhrase: HIDDEN.replacedPhrase,
    wasStolen: false,
  });
  await replaced.sync.now();
  const { accessToken: token, refreshToken } = replacedStore.read()!;
  const ofPasskeys = browser.outputs.map((value, at) => ({
    what: `output of a passkey ${at}`,
    value: Buffer.from(value),
  }));
  const secrets = [...ofApp, ...ofPasskeys];
  return { recoveredNames, token, refreshToken, oldToken, profileId, secrets };
}

/** A passkey that unlocks, and an app for codes; for a moment a sign-in needs one of them. */
async function protectAccount(client: HealthRecordsClient): Promise<Secret[]> {
  const passkeys = client.passkeys!;
  const steps = client.secondStep!;
  await passkeys.add({ currentPassword: HIDDEN.password, label: LABEL });
  client.lock();
  await passkeys.unlock();
  const { ticket, secret } = await steps.addApp(HIDDEN.password);
  const key = OtpSecret.fromBase32(secret);
  await mustFail(steps.confirmApp(ticket, '000000'));
  await steps.confirmApp(ticket, new TOTP({ secret: key }).generate());
  await steps.set(true, HIDDEN.password);
  await steps.set(false, HIDDEN.password);
  return [
    { what: 'secret of an app', value: secret },
    { what: 'secret of an app as bytes', value: Buffer.from(key.bytes) },
    { what: 'ticket', value: ticket },
  ];
}

/** A device that takes reminders, and one that is due in some days. */
async function wantReminders(client: HealthRecordsClient): Promise<void> {
  const [device, reminder] = [newId(), newId()];
  const curve = createECDH('prime256v1');
  const subscription = {
    endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/canary',
    p256dh: curve.generateKeys().toString('base64url'),
    auth: randomBytes(16).toString('base64url'),
    label: LABEL,
  };
  await client.request({ method: 'PUT', path: `/api/push/subscriptions/${device}`, body: subscription });
  const planned = {
    subscription_id: device,
    slot_id: await client.pseudonym(`slot ${HIDDEN.mother} 08:00`),
    text: randomBytes(64).toString('base64'),
    due_at: new Date(Date.now() + 3 * 86_400_000).toISOString(),
    time_zone: 'Europe/Berlin',
  };
  await client.request({ method: 'PUT', path: `/api/reminders/${reminder}`, body: planned });
}

async function mustFail(promise: Promise<unknown>): Promise<void> {
  await expect(promise).rejects.toMatchObject({ code: expect.any(String) as string });
}

async function addFamily({ profiles }: HealthRecordsClient, motherId: string): Promise<void> {
  const { own, account } = await newSpacePerson();
  await withSeeds(own, account, () => Promise.resolve());
  const mother = await profiles.get(motherId);
  const sharing = { publicKey: own.sharing, privateKey: { ...own.wrapped } };
  await profiles.update(mother, { details: { ...mother.details, sharing } });
  const relationship = VISIBLE['relationship of a profile'].value;
  await profiles.create({ relationship, details: { name: HIDDEN.daughter } });
  const details = { name: HIDDEN.dog, species: 'dog' };
  await profiles.create({ kind: 'pet', relationship: 'pet', details });
  const passing = await profiles.create({ relationship: 'guest', details: { name: HIDDEN.stranger } });
  await profiles.delete(passing.id);
}

async function keepRecords(client: HealthRecordsClient, profileId: string): Promise<void> {
  const { medications, appointments, healthStats } = client;
  const details = {
    strength: HIDDEN.strength,
    dosage: HIDDEN.dosage,
    instructions: HIDDEN.instructions,
    prescriber: HIDDEN.prescriber,
    notes: HIDDEN.medicationNote,
  };
  const route = VISIBLE['route of a medication'].value;
  const schedule = { timesPerDay: 23, daysOfWeek: ['sunday', 'mon', 2] };
  const names = [HIDDEN.anticoagulant, HIDDEN.painkiller, HIDDEN.unknownMedicine];
  for (const name of names)
    await medications.create({ profileId, route, schedule, details: { name, ...details } });
  const [newest, ...others] = await medications.list({ profileId });
  await medications.update(newest, { details: { ...newest.details, endDate: '2027-01-01' } });
  const dose = await medications.logDose(newest.id, { taken: true });
  await medications.logDose(newest.id, { taken: false, loggedAt: new Date(Date.now() - 3_600_000) });
  await medications.deleteDose(newest.id, dose.id);
  await medications.adherence(newest.id, { timeZone: 'Europe/Berlin' });
  await medications.delete(others[1].id);

  const status = VISIBLE['status of an appointment'].value;
  const visit = {
    title: HIDDEN.appointment,
    startsAt: HIDDEN.startsAt,
    location: HIDDEN.location,
    notes: HIDDEN.appointmentNote,
  };
  await appointments.create({ profileId, status: 'scheduled', details: visit });
  const second = await appointments.create({ profileId, status: 'scheduled', details: visit });
  // The client itself refuses such a status.
  const path = `/api/appointments/${second.id}`;
  await client.request({ method: 'POST', path, body: { status } });
  await client.request({ method: 'GET', path: '/api/appointments', query: { status } });

  for (const day of [1, 2, 3])
    await healthStats.create({
      profileId,
      recordedAt: `2026-11-0${day}T12:00:00Z`,
      details: {
        metric: HIDDEN.metric,
        unit: HIDDEN.unit,
        values: { value: HIDDEN.reading },
        note: HIDDEN.statNote,
      },
    });
  const [stat, old] = await healthStats.list({ profileId });
  await healthStats.update(stat, { details: { ...stat.details, values: { value: HIDDEN.reading } } });
  await healthStats.delete(old.id);
}

async function askAboutInteractions(client: HealthRecordsClient, profileId: string): Promise<void> {
  const names = [HIDDEN.anticoagulant, HIDDEN.painkiller, HIDDEN.unknownMedicine];
  await client.checkInteractionsOf(profileId);
  await client.interactions.checkByService({ medications: names });
  await client.interactions.checkNewByService({ name: HIDDEN.painkiller, dosage: HIDDEN.dosage });
  await client.interactions.resolveByService(names);
}

/** Somebody who takes over an export, and then erases the account. */
async function comeAndGo(client: HealthRecordsClient, file: Uint8Array): Promise<void> {
  const email = VISIBLE['email of a deleted account'].value;
  await client.register({ email, password: HIDDEN.otherPassword, recoveryPhrase: null });
  const document = await client.transfer.readFile(file, { password: HIDDEN.filePassword });
  await client.transfer.importAll(document);
  await mustFail(client.deleteAccount(HIDDEN.wrongPassword));
  await client.deleteAccount(HIDDEN.otherPassword);
}
