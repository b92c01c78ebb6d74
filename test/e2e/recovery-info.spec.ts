import { randomBytes } from 'node:crypto';
import { expectFailure, visible } from '@app/testing';
import { generateDataKey, unwrapDataKey, wrapDataKey } from '../../libs/client/src/crypto/key-wrapping';
import { aCiphertext, anAccount, anEmail } from '../support/factories';
import {
  keepHouse,
  type SharedService,
  sharedService,
  startService,
  TEST_ENVIRONMENT,
  type TestService,
} from '../support/service';

const infoOf = (service: SharedService, email: string) =>
  service.api.get(`/api/auth/recovery-info?email=${encodeURIComponent(email)}`);

const aWrap = () => ({ recovery_wrapped_dek: aCiphertext(), recovery_wrapped_dek_iv: aCiphertext(12) });

describe('recovery-info', () => {
  let service: SharedService;
  beforeAll(async () => (service = await sharedService()));

  it.each([
    ['enabled', undefined],
    ['not enabled', { recovery_proof: undefined }],
  ])('answers with exactly the stored wrap where recovery is %s', async (_, overrides) => {
    const wrap = aWrap();
    const { email } = await anAccount(service.api, { ...wrap, ...overrides });
    const { status, body } = await infoOf(service, email);
    expect(status).toBe(200);
    expect(body).toEqual(wrap);
  });

  it('finds an account by any form of its email', async () => {
    const wrap = aWrap();
    const { email } = await anAccount(service.api, wrap);
    expect((await infoOf(service, ` ${email.toUpperCase()}`)).body).toEqual(wrap);
  });

  it('cannot be told apart for a known and an unknown email, but for the values', async () => {
    const { email } = await anAccount(service.api);
    const [known, unknown] = [await infoOf(service, email), await infoOf(service, anEmail())];
    expect(known.text).toHaveLength(unknown.text.length);
    expect({ ...visible(unknown), body: Object.keys(unknown.body) }).toEqual({
      ...visible(known),
      body: Object.keys(known.body),
    });
  });

  it('answers the same where the email is in the body and not in the URL', async () => {
    const post = (email: string) => service.api.post('/api/auth/recovery-info', { email });
    const { email } = await anAccount(service.api, aWrap());
    for (const one of [email, email.toUpperCase(), anEmail()]) {
      const [byBody, byQuery] = [await post(one), await infoOf(service, one)];
      expect([byBody.status, byBody.body]).toEqual([200, byQuery.body]);
    }
    expectFailure(await post('nobody'), 'validation_failed', 'email');
  });

  it('answers as an ordinary read, for which no token counts', async () => {
    const { email } = await anAccount(service.api);
    const path = `/api/auth/recovery-info?email=${email}`;
    const withToken = await service.api.get(path, { token: 'garbage' });
    expect([withToken.status, withToken.body]).toEqual([200, (await service.api.get(path)).body]);
  });

  it.each([
    ['missing', '', 'email'],
    ['empty', '?email=', 'email'],
    ['no email', '?email=nobody', 'email'],
    ['given twice', '?email=a@example.org&email=b@example.org', 'email'],
    ['beside an unknown parameter', '?email=a@example.org&phrase=secret', 'phrase'],
  ])('names the parameter when email is %s', async (_, query, field) => {
    const { status, body } = await service.api.get(`/api/auth/recovery-info${query}`);
    expect([status, body.code, body.details[0].field]).toEqual([400, 'validation_failed', field]);
  });
});

describe('the decoy of an unknown email', () => {
  let service: SharedService;
  let sameSecret: TestService;
  let otherSecret: TestService;
  beforeAll(async () => {
    service = await sharedService();
    sameSecret = await startService({ JWT_SECRET: 'yet another secret, at least 32 bytes long' });
    otherSecret = await startService({ DECOY_SECRET: `${TEST_ENVIRONMENT.DECOY_SECRET}, but other` });
  });
  afterAll(() => Promise.all([sameSecret.stop(), otherSecret.stop()]));

  it('is the same at every call and for every form of the email', async () => {
    const email = anEmail();
    const { body } = await infoOf(service, email);
    for (const form of [email, email.toUpperCase(), ` ${email}\t`, email.replace('@', '\uff20')]) {
      expect((await infoOf(service, form)).body).toEqual(body);
    }
  });

  it('is the same on another instance, on which the secret alone is the same', async () => {
    const email = anEmail();
    expect((await infoOf(sameSecret, email)).body).toEqual((await infoOf(service, email)).body);
  });

  it('never changes, whatever shape the wraps of the accounts have', async () => {
    const email = anEmail();
    const { body: decoy } = await infoOf(service, email);
    for (let made = 0; made < 12; made++)
      await anAccount(service.api, {
        recovery_wrapped_dek: randomBytes(60).toString('hex'),
        recovery_wrapped_dek_iv: randomBytes(16).toString('hex'),
      });
    await keepHouse(service);
    expect((await infoOf(service, email)).body).toEqual(decoy);
  });

  it('is another with another secret, in every value', async () => {
    const email = anEmail();
    const [{ body: ours }, { body: theirs }] = [
      await infoOf(service, email),
      await infoOf(otherSecret, email),
    ];
    expect(theirs.recovery_wrapped_dek).not.toBe(ours.recovery_wrapped_dek);
    expect(theirs.recovery_wrapped_dek_iv).not.toBe(ours.recovery_wrapped_dek_iv);
  });

  it('is another for each email, and shares no part with the salt of prelogin', async () => {
    const emails = Array.from({ length: 20 }, anEmail);
    const seen = new Set<string>();
    for (const email of emails) {
      const { recovery_wrapped_dek: dek, recovery_wrapped_dek_iv: iv } = (await infoOf(service, email)).body;
      const { salt } = (await service.api.post('/api/auth/prelogin', { email })).body;
      const parts = [dek, iv, salt].map((text) =>
        Buffer.from(text, 'base64').subarray(0, 12).toString('hex'),
      );
      for (const part of parts) seen.add(part);
    }
    expect(seen.size).toBe(3 * emails.length);
  });

  it('has the shape and the length of what the reference client wraps', async () => {
    const wrappingKey = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
      'wrapKey',
      'unwrapKey',
    ]);
    const real = await wrapDataKey(await generateDataKey('account'), wrappingKey, { purpose: 'recovery' });
    const { body } = await infoOf(service, anEmail());
    const decoy = { wrapped: body.recovery_wrapped_dek, iv: body.recovery_wrapped_dek_iv };
    for (const part of ['wrapped', 'iv'] as const) {
      const bytes = Buffer.from(decoy[part], 'base64');
      expect(bytes.toString('base64')).toBe(decoy[part]);
      expect(bytes).toHaveLength(Buffer.from(real[part], 'base64').length);
    }
    // To the client it looks like any wrap that another phrase has made.
    await expect(unwrapDataKey(decoy, wrappingKey, { purpose: 'recovery' })).rejects.toMatchObject({
      code: 'tampered',
    });
  });

  it('gives way to the stored wrap once the account exists, and comes back when it is gone', async () => {
    const email = anEmail();
    const { body: decoy } = await infoOf(service, email);
    const wrap = aWrap();
    const { token, password } = await anAccount(service.api, { email, ...wrap });
    expect((await infoOf(service, email)).body).toEqual(wrap);
    await service.api.post('/api/users/me/delete', { current_password: password }, { token });
    expect((await infoOf(service, email)).body).toEqual(decoy);
  });
});
