import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { type Answer, type FailureCode, resignToken } from '@app/testing';
import { sql } from '../support/databases';
import {
  aBlob,
  aCiphertext,
  aDose,
  anAccount,
  anAppointment,
  aMedication,
  aRegistration,
} from '../support/factories';
import { HIDDEN, VISIBLE } from './canaries';
import type { CanaryDay } from './canary-day';
import { failInTheDatabase, refused } from './database-failures';
import type { WatchedApi } from './witness';

const EMAIL = VISIBLE.email.value;
const FIELD = VISIBLE['name of an unknown field'].value;
const FAILING_BLOB = VISIBLE['blob of a statement that failed'].value;
/** All that a person has to hide, in one text. */
const EVERYTHING = Object.values(HIDDEN).join(' ');

/** Everything a service can refuse, with canaries wherever there is room for one. */
export class Refusals {
  constructor(
    private readonly api: WatchedApi,
    private readonly day: CanaryDay,
    private readonly databaseUrl: string,
    private readonly jwtSecret: string,
  ) {}

  /** @throws Error where a request is not refused as it should be. */
  async provoke(): Promise<void> {
    await this.#malformed();
    await this.#invalid();
    await this.#unauthorized();
    await this.#conflicts();
    await this.#inTrouble();
    await this.#tooLarge();
    await this.#outsideOfHttp();
    await failInTheDatabase(this.api, this.databaseUrl, this.day, FAILING_BLOB);
    await this.#tooMany();
  }

  async #malformed(): Promise<void> {
    const { api } = this;
    const whole = JSON.stringify({ email: EMAIL, password: EVERYTHING });
    const bodies = [
      whole.slice(0, -2),
      `${whole}${whole}`,
      `${whole.slice(0, -1)},"password":"${HIDDEN.password}"}`,
      whole.replace('Zeisigmann', 'Zeisig\\u12mann'),
      Buffer.concat([Buffer.from(whole.slice(0, -2)), Buffer.from([0xff, 0xfe, 0x22, 0x7d])]),
      `{"password":${'['.repeat(100)}"${HIDDEN.mother}"${']'.repeat(100)}}`,
      EVERYTHING,
    ];
    for (const body of bodies)
      await refused(['malformed_json', 'validation_failed'], api.post('/api/auth/login', body));
    const type = { headers: { 'Content-Type': 'text/plain' } };
    await refused(['unsupported_media_type'], api.post('/api/auth/login', EVERYTHING, type));
  }

  async #invalid(): Promise<void> {
    const { token, profileId } = this.day;
    const own = { profile_id: profileId, encrypted_data: aBlob() };
    const long = EVERYTHING.repeat(3);
    const value = HIDDEN.queryValue;
    const posts: [path: string, body: object][] = [
      ['auth/register', aRegistration({ email: HIDDEN.mother, password: EVERYTHING.repeat(3) })],
      ['auth/login', { email: EMAIL, password: HIDDEN.password, [FIELD]: EVERYTHING }],
      ['auth/login', { email: [EMAIL], password: { of: HIDDEN.password } }],
      ['auth/refresh', { refresh_token: [this.day.refreshToken] }],
      ['auth/recovery/verify', { email: EMAIL, recovery_proof: [HIDDEN.phrase] }],
      ['profiles', { kind: HIDDEN.dog, relationship: long, wrapped_profile_dek: [HIDDEN.mother] }],
      ['medications', { ...own, route: long, dose_schedule: { times_per_day: HIDDEN.dosage } }],
      ['medications', { ...own, route: 'oral', dose_schedule: { [FIELD]: HIDDEN.dosage } }],
      ['medications', { ...own, route: 'oral', encrypted_data: [HIDDEN.painkiller] }],
      ['appointments', { ...own, status: `${HIDDEN.appointment}\n`, profile_id: HIDDEN.mother }],
      ['health-stats', { ...own, recorded_at: HIDDEN.startsAt.replace('T', HIDDEN.statNote) }],
      ['interactions/check', { medications: [long], species: HIDDEN.dog }],
      ['interactions/check-new', { name: [HIDDEN.painkiller], dosage: { of: HIDDEN.dosage } }],
    ];
    for (const [path, body] of posts)
      await refused(['validation_failed', 'not_found'], this.api.post(`/api/${path}`, body, { token }));
    for (const name of ['limit', 'cursor', 'updated_since', 'profile_id', FIELD]) {
      const query = new URLSearchParams({ [name]: value }).toString();
      await refused(['validation_failed'], this.api.get(`/api/appointments?${query}`, { token }));
    }
    for (const header of ['Idempotency-Key', 'If-Match']) {
      const headers = { [header]: `${HIDDEN.headerValue} ${'x'.repeat(300)}` };
      const call = header === 'If-Match' ? ['PUT', `profiles/${profileId}`] : ['POST', 'appointments'];
      const body = header === 'If-Match' ? { relationship: 'self' } : { ...own, status: 'scheduled' };
      await refused(
        ['validation_failed'],
        this.api.call(call[0], `/api/${call[1]}`, body, { token, headers }),
      );
    }
    const tooMuch = `/api/medications/${randomUUID()}/adherence?tz=${value}`;
    await refused(['validation_failed', 'not_found'], this.api.get(tooMuch, { token }));
  }

  async #unauthorized(): Promise<void> {
    const { token, oldToken, refreshToken } = this.day;
    const { api } = this;
    const expired = resignToken(token, { payload: { iat: 1, exp: 2 } }, this.jwtSecret);
    const of = (authorization: string) =>
      api.get('/api/users/me', { headers: { Authorization: authorization } });
    await refused(['token_missing'], of(`Basic ${Buffer.from(EVERYTHING).toString('base64')}`));
    await refused(['token_invalid'], of(`Bearer ${HIDDEN.headerValue}`));
    await refused(['token_invalid'], of(`Bearer ${token.slice(0, -9)}`));
    await refused(['token_invalid'], of(`Bearer ${refreshToken}`));
    await refused(['token_expired'], of(`Bearer ${expired}`));
    await refused(['token_revoked'], of(`Bearer ${oldToken}`));
    const refresh = () => api.post('/api/auth/refresh', { refresh_token: refreshToken });
    if ((await refresh()).status !== 200) throw new Error('The refresh was refused.');
    await refused(['refresh_token_invalid'], refresh());
    const password = HIDDEN.wrongPassword;
    const nobody = VISIBLE['email that nobody has'].value;
    await refused(['invalid_credentials'], api.post('/api/auth/login', { email: nobody, password }));
    const body = { current_password: password, new_password: password };
    const change = { ...body, new_wrapped_dek: aCiphertext(), new_wrapped_dek_iv: aCiphertext(12) };
    await refused(['current_password_wrong'], api.post('/api/auth/change-password', change, { token }));
    const path = encodeURIComponent(HIDDEN.pathPart);
    for (const each of ['', 'profiles/', 'medications/', `profiles/${EVERYTHING.slice(0, 90)}/`])
      await refused(['not_found'], api.get(`/api/${encodeURI(each)}${path}`, { token }));
    for (const each of ['medications', 'appointments'])
      await refused(['not_found'], api.post(`/api/${each}/${path}/delete`, {}, { token }));
    await refused(['not_found'], api.get(`/api/profiles/${path}%ff%zz`, { token }));
  }

  async #conflicts(): Promise<void> {
    const { token, profileId } = this.day;
    const { api } = this;
    await refused(['email_taken'], api.post('/api/auth/register', aRegistration({ email: EMAIL })));
    const status = 'scheduled';
    const { id } = await anAppointment(api, token, profileId);
    const body = { id, profile_id: profileId, status, encrypted_data: FAILING_BLOB };
    await refused(['id_taken'], api.post('/api/appointments', body, { token }));
    const headers = { 'Idempotency-Key': HIDDEN.idempotencyKey };
    const send = (more: object) =>
      api.post('/api/appointments', { profile_id: profileId, status, ...more }, { token, headers });
    await send({ encrypted_data: aBlob() });
    await refused(['idempotency_conflict'], send({ encrypted_data: FAILING_BLOB }));
    const change = { encrypted_data: FAILING_BLOB };
    const stale = { token, headers: { 'If-Match': '"4711"' } };
    await refused(['revision_mismatch'], api.post(`/api/appointments/${id}`, change, stale));
  }

  /** What the operator's `suspend` and `hold` refuse. */
  async #inTrouble(): Promise<void> {
    const { api, databaseUrl } = this;
    const { email, password, token } = await anAccount(api);
    const { id } = (await api.get('/api/users/me', { token })).body;
    const change = (columns: string) => sql(databaseUrl, `UPDATE accounts SET ${columns} WHERE id = '${id}'`);
    await change('suspended_at = now()');
    await refused(['account_suspended'], api.post('/api/auth/login', { email, password }));
    await change("suspended_at = NULL, held_at = now(), held_by = 'a court', held_why = 'a request'");
    await refused(
      ['erasure_held'],
      api.post('/api/users/me/delete', { current_password: password }, { token }),
    );
  }

  async #tooLarge(): Promise<void> {
    const { token, profileId } = this.day;
    const text = (bytes: number) => HIDDEN.tooLarge.repeat(bytes / HIDDEN.tooLarge.length + 1);
    const own = { profile_id: profileId, status: 'scheduled' };
    for (const bytes of [256 * 1024, 1024 * 1024])
      await refused(
        ['payload_too_large'],
        this.api.post('/api/appointments', { ...own, encrypted_data: text(bytes) }, { token }),
      );
    const profile = { wrapped_profile_dek: text(4096), name_data: HIDDEN.mother };
    await refused(['payload_too_large'], this.api.post('/api/profiles', profile, { token }));
  }

  /** What Node itself refuses before it is a request. */
  async #outsideOfHttp(): Promise<void> {
    const { hostname, port } = new URL(this.api.url);
    const { rawRequest } = HIDDEN;
    const lines = [
      `${rawRequest} / HTTP/1.1\r\n\r\n`,
      `GET /${rawRequest} HTTP/7.3\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: x\r\n${rawRequest}\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${rawRequest.repeat(2000)}\r\n\r\n`,
      `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: ${rawRequest}\r\n\r\n`,
      `GET /${rawRequest}%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    ];
    for (const line of lines) {
      const answer = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), hostname, () => socket.write(line));
        let text = '';
        socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        socket.once('error', reject).once('close', () => resolve(text));
      });
      this.api.witness.noteRaw(answer);
    }
  }

  async #tooMany(): Promise<void> {
    const { token, profileId } = this.day;
    const { api } = this;
    const body = { email: VISIBLE['email that nobody has'].value, password: HIDDEN.wrongPassword };
    const login = () => api.post('/api/auth/login', body);
    await untilRefused('rate_limited', login);
    const { id } = await aMedication(api, token, profileId);
    await aDose(api, token, id);
    await untilRefused('quota_exceeded', () =>
      api.post(`/api/medications/${id}/log`, { taken: true }, { token }),
    );
  }
}

/** Until a limit is reached, which is a low one. */
async function untilRefused(code: FailureCode, call: () => Promise<Answer>): Promise<void> {
  for (let count = 0; count < 200; count += 1) if ((await call()).body?.code === code) return;
  throw new Error(`There was no ${code}.`);
}
