import {
  accountKeys,
  Authenticator,
  aBlob,
  aCiphertext,
  anEmail,
  aNewSecret,
  type Api,
  aRegistration,
  collectionPath,
  idFieldOf,
  type Parents,
  type KindUnderTest,
  SERVICE_KINDS,
  TEST_SETTINGS,
} from '@app/testing';
import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { until } from '../support/until';
import { Secret, TOTP } from 'otpauth';

/** Calls the service and fails where the answer is another than the day expects. */
class Caller {
  token: string | undefined;

  constructor(private readonly api: Api) {}

  async call(
    status: number,
    line: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Record<string, any>> {
    const [method, path] = line.split(' ');
    const answer = await this.api.call(method, `/api/${path}`, body, { token: this.token, headers });
    if (answer.status !== status) throw new Error(`${line} was answered ${answer.status}: ${answer.text}`);
    return answer.body ?? {};
  }
}

/** What everyone does sooner or later, on every route: with success at least once, and the usual refusals. */
export async function aWholeDay(api: Api): Promise<void> {
  const caller = new Caller(api);
  const credentials = await signUp(caller);
  await keepRecords(caller);
  await keepSignedIn(caller, credentials);
  await leave(caller, credentials);
}

interface Credentials {
  email: string;
  password: string;
  proof: string;
  refreshToken: string;
}

async function signUp(caller: Caller): Promise<Credentials> {
  const registration = aRegistration({
    default_profile_wrapped_dek: aCiphertext(),
    recovery_proof: undefined,
  });
  const { email, password } = registration as { email: string; password: string };
  await caller.call(200, 'POST auth/prelogin', { email });
  await caller.call(201, 'POST auth/register', registration);
  await caller.call(409, 'POST auth/register', { ...aRegistration(), email });
  await caller.call(401, 'POST auth/login', { email, password: 'wrong' });
  await caller.call(401, 'POST auth/login', { email: anEmail(), password });
  const signedIn = await caller.call(200, 'POST auth/login', { email, password });
  caller.token = signedIn.token;
  const proof = aCiphertext(32);
  const setup = { current_password: password, recovery_proof: proof };
  await caller.call(403, 'POST auth/recovery/setup', { ...setup, current_password: 'wrong' });
  await caller.call(200, 'POST auth/recovery/setup', setup);
  return { email, password, proof, refreshToken: signedIn.refresh_token };
}

async function keepRecords(caller: Caller): Promise<void> {
  const [{ profile_id: first }] = (await caller.call(200, 'GET profiles')) as { profile_id: string }[];
  const aProfile = { wrapped_profile_dek: aCiphertext() };
  const { profile_id: second } = await caller.call(201, 'POST profiles', aProfile);
  const medication = { profile_id: first, route: 'oral', encrypted_data: aBlob() };
  const schedule = { dose_schedule: { times_per_day: 2 } };
  const { id: medicationId } = await caller.call(201, 'POST medications', { ...medication, ...schedule });
  const log = `medications/${medicationId}/log`;
  const { id: doseId } = await caller.call(201, `POST ${log}`, { taken: true });
  // Once where the medication starts within the period, and once where its first dose is older.
  const adherence = `GET medications/${medicationId}/adherence?tz=Europe/Berlin`;
  await caller.call(200, adherence);
  await caller.call(201, `POST ${log}`, { taken: false, loggedAt: '2026-01-02T03:04:05Z' });
  await caller.call(200, `GET ${log}?limit=1`);
  await caller.call(200, adherence);
  await caller.call(204, `POST ${log}/${doseId}/delete`);
  await caller.call(404, `POST ${log}/${doseId}/delete`);
  await caller.call(200, `POST medications/${medicationId}`, { ...medication, profile_id: second });
  await caller.call(400, `POST medications/${medicationId}`, { profile_id: first });
  await caller.call(200, `POST medications/${medicationId}`, { dose_schedule: null });
  const ids = { '/api/profiles/{id}': second, '/api/medications/{id}': medicationId };
  for (const kind of SERVICE_KINDS) await keepKind(caller, kind, { profileId: second, ids });
  await caller.call(200, `GET appointments?status=scheduled&profile_id=${second}`);
  await caller.call(
    200,
    'GET health-stats?recorded_from=2026-01-01T00:00:00Z&recorded_to=2027-01-01T00:00:00Z',
  );
  const names = { medications: ['warfarin', 'ibuprofen'] };
  await caller.call(200, 'POST interactions/check', names);
  await caller.call(200, 'POST interactions/check-new', { name: 'aspirin', dosage: '' });
  await caller.call(200, 'POST interactions/resolve', names);
  await caller.call(200, 'GET interactions/knowledge-base');
  const { cursor } = await caller.call(200, 'GET sync?limit=1');
  await caller.call(204, `DELETE profiles/${second}`);
  await caller.call(200, `GET sync?cursor=${cursor}`);
}

/** The life of one record of a kind, and of others that are refused. */
async function keepKind(caller: Caller, kind: KindUnderTest, parents: Parents): Promise<void> {
  const { update, deleteWith } = kind;
  const idField = idFieldOf(kind);
  const path = collectionPath(kind, parents).replace('/api/', '');
  const key = { 'Idempotency-Key': randomUUID() };
  const create = `POST ${path}`;
  const body = kind.body(parents);
  const made = await caller.call(201, create, body, key);
  const id = made[idField] as string;
  await caller.call(201, create, body, key);
  await caller.call(409, create, { ...body, [idField]: randomUUID() }, key);
  await caller.call(409, create, { ...body, [idField]: id });
  await caller.call(201, create, body);
  for (const query of ['', '?limit=1', '?updated_since=2026-01-01T00:00:00Z'])
    await caller.call(200, `GET ${path}${query}`);
  const gone = deleteWith === 'POST' ? `POST ${path}/${id}/delete` : `DELETE ${path}/${id}`;
  if (update) {
    const stale = { 'If-Match': '"1"' };
    await caller.call(200, `GET ${path}/${id}`);
    await caller.call(404, `GET ${path}/${randomUUID()}`);
    await caller.call(200, `${update.method} ${path}/${id}`, update.change());
    await caller.call(412, `${update.method} ${path}/${id}`, update.change(), stale);
    await caller.call(412, gone, undefined, stale);
  }
  await caller.call(204, gone);
  await caller.call(404, gone);
}

async function keepSignedIn(caller: Caller, credentials: Credentials): Promise<void> {
  const { email, password, proof, refreshToken } = credentials;
  await caller.call(200, 'GET users/me');
  await caller.call(200, 'GET users/me/events?limit=2');
  await caller.call(200, 'GET users/me/usage');
  const { device_token: device } = await caller.call(201, 'POST auth/device-token', {
    current_password: password,
  });
  const again = await caller.call(200, 'POST auth/login', { email, password, device_token: device });
  await caller.call(200, 'POST auth/recovery/verify', { email, recovery_proof: proof, device_token: device });
  await caller.call(200, 'POST auth/login', { email, password, remember_device: true });
  const [known] = (await caller.call(200, 'GET users/me/device-tokens')) as { id: string }[];
  await caller.call(204, `DELETE users/me/device-tokens/${known.id}`);
  const stolen = { refresh_token: again.refresh_token };
  await caller.call(200, 'POST auth/refresh', stolen);
  await caller.call(401, 'POST auth/refresh', stolen, { 'User-Agent': 'of a thief' });
  const renewed = await caller.call(200, 'POST auth/refresh', { refresh_token: refreshToken });
  await caller.call(401, 'POST auth/refresh', { refresh_token: refreshToken });
  await caller.call(204, 'POST auth/logout', { refresh_token: renewed.refresh_token });
  await caller.call(204, 'POST auth/logout', { refresh_token: renewed.refresh_token });
  // The first session has ended.
  for (let device = 0; device < 6; device++)
    caller.token = (await caller.call(200, 'POST auth/login', { email, password })).token;
  const sessions = (await caller.call(200, 'GET auth/sessions')) as { id: string; current: boolean }[];
  await caller.call(204, `DELETE auth/sessions/${sessions.find(({ current }) => !current)!.id}`);
  await usePasskeys(caller, password);
  await useReminders(caller);
  await caller.call(200, `GET auth/recovery-info?email=${email}`);
  await caller.call(200, 'POST auth/recovery-info', { email: anEmail() });
  await caller.call(200, 'POST auth/recovery/verify', { email, recovery_proof: proof });
  await caller.call(200, 'POST auth/recovery/verify', { email: anEmail(), recovery_proof: proof });
}

async function usePasskeys(caller: Caller, password: string): Promise<void> {
  const phone = new Authenticator(TEST_SETTINGS.WEB_ORIGIN);
  const stepUp = { current_password: password };
  await caller.call(403, 'POST passkeys/options', { current_password: 'wrong' });
  const made = await caller.call(200, 'POST passkeys/options', stepUp);
  const created = { ticket: made.ticket, response: phone.create(made.options as never), label: 'My phone' };
  const { id } = await caller.call(201, 'POST passkeys', created);
  await caller.call(201, 'POST passkeys', created);
  await caller.call(200, 'GET passkeys');
  await caller.call(200, `PUT passkeys/${id}`, { label: 'Phone' });
  const { ticket, options } = await caller.call(200, 'POST auth/passkey/options', {});
  const login = { ticket, response: phone.get(options as never) };
  await caller.call(200, 'POST auth/passkey/login', login);
  await caller.call(401, 'POST auth/passkey/login', login);
  await useSecondStep(caller, stepUp, phone);
  await caller.call(204, `POST passkeys/${id}/delete`, stepUp);
}

async function useReminders(caller: Caller): Promise<void> {
  const [id, slot_id] = [randomUUID(), randomUUID()];
  const due = { slot_id, due_at: new Date().toISOString() };
  const browser = createECDH('prime256v1');
  await caller.call(200, 'GET push/key');
  await caller.call(200, `PUT push/subscriptions/${id}`, {
    endpoint: 'https://127.0.0.1:9/a-browser',
    p256dh: browser.generateKeys().toString('base64url'),
    auth: randomBytes(16).toString('base64url'),
    label: 'A browser',
  });
  await caller.call(200, 'GET push/subscriptions');
  const reminder = { subscription_id: id, text: 'sealed', time_zone: 'UTC', ...due };
  const isTold = (failure: string) =>
    until(failure, async () => (await caller.call(200, `GET push/subscriptions/${id}`)).failure === failure);
  await caller.call(200, `PUT reminders/${id}`, { ...reminder, due_at: '2026-01-01T08:00:00Z' });
  await isTold('missed');
  await caller.call(200, `PUT reminders/${id}`, reminder);
  // The push service is away.
  await isTold('delayed');
  await caller.call(200, 'GET reminders');
  await caller.call(204, 'POST reminders/answers', { ...due, answer: 'done' });
  await caller.call(200, `POST push/subscriptions/${id}/test`);
  await caller.call(204, 'POST push/answers', { ticket: 'none', answer: 'done' });
  await caller.call(204, `DELETE reminders/${id}`);
  await caller.call(204, `DELETE push/subscriptions/${id}`);
}

async function useSecondStep(
  caller: Caller,
  stepUp: { current_password: string },
  phone: Authenticator,
): Promise<void> {
  const app = await caller.call(200, 'POST users/me/second-step/totp', stepUp);
  const codeOf = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(String(app.secret)) }).generate({
      timestamp: Date.now() + steps * 30_000,
    });
  const confirmed = { ticket: app.ticket, code: codeOf(-1) };
  await caller.call(204, 'POST users/me/second-step/totp/confirm', confirmed);
  await caller.call(204, 'POST users/me/second-step/totp/confirm', confirmed);
  await caller.call(200, 'PUT users/me/second-step', { ...stepUp, required: true });
  await caller.call(200, 'GET users/me/second-step');
  const { email } = (await caller.call(200, 'GET users/me')) as { email: string };
  const login = { email, password: stepUp.current_password };
  const { ticket, passkey_options: options } = await caller.call(403, 'POST auth/login', login);
  await caller.call(200, 'POST auth/second-step', { ticket, code: codeOf(0) });
  await caller.call(401, 'POST auth/second-step', { ticket, code: codeOf(0) });
  await caller.call(200, 'POST auth/second-step', { ticket, response: phone.get(options as never) });
  await caller.call(200, 'PUT users/me/second-step', { ...stepUp, required: false });
  await caller.call(204, 'POST users/me/second-step/totp/delete', stepUp);
}

/** All keys, and afterwards the same secrets as before, for what follows. */
async function replaceKeys(caller: Caller, password: string, proof: string): Promise<void> {
  const wrong = { kind: 'teapot', records: [] };
  await caller.call(400, 'POST reseal', wrong);
  await caller.call(200, 'GET trust-book');
  const profiles = ((await caller.call(200, 'GET profiles')) as unknown as Record<string, unknown>[]).map(
    ({ profile_id, revision }) => ({
      profile_id,
      revision,
      wrapped_profile_dek: aCiphertext(),
      wrapped_profile_dek_iv: aCiphertext(12),
      name_data: aBlob(),
      name_iv: aCiphertext(12),
    }),
  );
  for (const end_passkeys of [false, true]) {
    // Others know an account by these, once it has shared something.
    if (end_passkeys) await caller.call(201, 'PUT users/me/keys', accountKeys());
    const body = {
      ...aNewSecret(),
      new_password: password,
      current_password: password,
      recovery_proof: proof,
      recovery_wrapped_dek: aCiphertext(),
      recovery_wrapped_dek_iv: aCiphertext(12),
      trust_book: { revision: end_passkeys ? 1 : 0, encrypted_data: aBlob() },
      profiles,
      end_passkeys,
      ...(end_passkeys && { keys: accountKeys() }),
    };
    await caller.call(409, 'POST users/me/rotate-keys', { ...body, profiles: [] });
    caller.token = (await caller.call(200, 'POST users/me/rotate-keys', body)).token;
    for (const profile of profiles) profile.revision = Number(profile.revision) + 1;
  }
  await caller.call(200, 'PUT trust-book', { revision: 2, encrypted_data: aBlob() });
  await caller.call(412, 'PUT trust-book', { encrypted_data: aBlob() });
  const medications = (await caller.call(200, 'GET medications')) as unknown as Record<string, unknown>[];
  const records = medications.map(({ id, revision }) => ({ id, revision, encrypted_data: aBlob() }));
  await caller.call(200, 'POST reseal', { kind: 'medication', records });
  await caller.call(200, 'POST reseal', { kind: 'dose', records: [] });
}

async function leave(caller: Caller, { email, password, proof }: Credentials): Promise<void> {
  const first = aNewSecret();
  const changed = await caller.call(200, 'POST auth/change-password', {
    current_password: password,
    ...first,
    new_kdf: { kdf: 'pbkdf2-sha256', iterations: 1_000_000 },
  });
  await caller.call(401, 'GET users/me');
  caller.token = changed.token;
  await replaceKeys(caller, first.new_password, proof);
  const newEmail = anEmail();
  const second = { ...aNewSecret(), email: newEmail, current_password: first.new_password };
  caller.token = (await caller.call(200, 'PUT users/me', second)).token;
  await caller.call(204, 'POST auth/logout-all');
  await caller.call(401, 'GET profiles');
  const third = aNewSecret();
  const reset = { email: newEmail, recovery_proof: proof, ...third };
  await caller.call(401, 'POST auth/recovery/reset-password', { ...reset, email });
  await caller.call(200, 'POST auth/recovery/reset-password', reset);
  const again = await caller.call(200, 'POST auth/login', { email: newEmail, password: third.new_password });
  caller.token = again.token;
  await caller.call(204, 'POST users/me/delete', { current_password: third.new_password });
}
