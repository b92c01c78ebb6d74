import { aNewSecret } from '@app/testing';
import { HealthRecordsClient } from '@app/client';
import { ClientAt } from '../support/clients';
import { sql } from '../support/databases';
import { type Account, aHealthStat, anAccount, anEmail, aProfile, aRegistration } from '../support/factories';
import { type Mailbox, openMailbox, type ReceivedMail } from '../support/mailbox';
import { keepHouse, sharedService, startService, type TestService } from '../support/service';

const LINK = /http:\/\/localhost\/app\/confirm#([\w-]{64})/;

describe('mail to the owners of accounts', () => {
  let mailbox: Mailbox;
  let service: TestService;
  beforeAll(async () => {
    mailbox = await openMailbox();
    service = await startService(settings());
  });
  afterAll(async () => {
    await service?.stop();
    await mailbox.close();
  });

  function settings(more: Record<string, string> = {}): Record<string, string> {
    const mail = { SMTP_URL: mailbox.url, MAIL_FROM: 'Health records <records@example.org>' };
    return { ...mail, TRUST_PROXY_HOPS: '1', ...more };
  }
  const home = (address?: string) => new ClientAt(service.api.url, address);
  const verify = (token: string, api = service.api) => api.post('/api/auth/email/verify', { token });
  const ask = ({ token }: Account) => service.api.post('/api/users/me/email/verification', {}, { token });
  const me = async ({ token }: { token: string }) =>
    (await service.api.get('/api/users/me', { token })).body as Record<string, unknown>;
  const login = ({ email, password }: { email: string; password: string }, api = service.api) =>
    api.post('/api/auth/login', { email, password });
  const aDayOld = (email: string, api = service) =>
    sql(
      api.databaseUrl,
      `UPDATE accounts SET created_at = created_at - interval '25 hours',
        verification_expires = verification_expires - interval '25 hours' WHERE email = $1`,
      [email],
    );
  const subjects = (mails: ReceivedMail[]) => mails.map(({ headers }) => headers.subject);

  async function linkTo(email: string, atLeast = 1): Promise<string> {
    const mails = await mailbox.mailsTo(email, atLeast);
    return LINK.exec(mails[mails.length - 1].text)![1];
  }

  async function aConfirmedAccount(api = service.api): Promise<Account> {
    const account = await anAccount(api);
    expect((await verify(await linkTo(account.email), api)).status).toBe(200);
    return account;
  }

  describe('an address', () => {
    it('is confirmed by the link that its registration sends, once', async () => {
      const account = await anAccount(service.api);
      const token = await linkTo(account.email);
      expect((await me(account)).email_verified).toBe(false);
      const { status, body } = await verify(token);
      expect([status, body]).toEqual([200, { email_verified: true }]);
      expect(await me(account)).toMatchObject({ email_verified: true, revision: 2 });
      const again = await verify(token);
      expect([again.status, again.body.code]).toEqual([403, 'verification_invalid']);
      const { body: events } = await service.api.get('/api/users/me/events', account);
      expect(events.map(({ kind }: { kind: string }) => kind)).toContain('email_verified');
    });

    it('is not confirmed by a code that is altered, foreign or old', async () => {
      const [account, other] = [await anAccount(service.api), await anAccount(service.api)];
      const [token, foreign] = [await linkTo(account.email), await linkTo(other.email)];
      const mixed = Buffer.concat([
        Buffer.from(token, 'base64url').subarray(0, 16),
        Buffer.from(foreign, 'base64url').subarray(16),
      ]).toString('base64url');
      await aDayOld(other.email);
      for (const wrong of [mixed, foreign, token.slice(1), token + 'A', 'x', '\u0000'.padEnd(64, 'a')]) {
        const { status, body } = await verify(wrong);
        expect([403, 400]).toContain(status);
        expect(['verification_invalid', 'validation_failed']).toContain(body.code);
      }
      expect((await me(account)).email_verified).toBe(false);
    });

    it('has the hash of its code in the database, and never the code', async () => {
      const account = await anAccount(service.api);
      const token = await linkTo(account.email);
      const [row] = await sql<{ verification_token: string }>(
        service.databaseUrl,
        'SELECT verification_token, verification_expires FROM accounts WHERE email = $1',
        [account.email],
      );
      expect(row).toMatchObject({
        verification_token: expect.any(String),
        verification_expires: expect.any(Date),
      });
      expect(row.verification_token).not.toContain(token.slice(22, 40));
    });

    it('gets another link when its owner asks, but not at once, and none when it is confirmed', async () => {
      const account = await anAccount(service.api);
      const first = await linkTo(account.email);
      expect((await ask(account)).status).toBe(202);
      await sql(
        service.databaseUrl,
        `UPDATE accounts SET verification_expires = verification_expires - interval '16 minutes' WHERE email = $1`,
        [account.email],
      );
      const asked = await ask(account);
      expect([asked.status, asked.text]).toEqual([202, '']);
      const second = await linkTo(account.email, 2);
      expect((await verify(first)).status).toBe(403);
      expect((await verify(second)).status).toBe(200);
      expect((await ask(account)).status).toBe(202);
      await anAccount(service.api).then(({ email }) => linkTo(email));
      expect(await mailbox.mailsTo(account.email)).toHaveLength(2);
    });

    it('is confirmed by the client, without a session', async () => {
      const client = new HealthRecordsClient({ baseUrl: service.api.url });
      const { email } = await anAccount(service.api);
      await client.confirmEmail(await linkTo(email));
      await expect(client.confirmEmail('a'.repeat(64))).rejects.toMatchObject({
        code: 'verification_invalid',
      });
      await expect(client.requestEmailConfirmation()).rejects.toMatchObject({ code: 'session_ended' });
      const own = { email: anEmail(), password: 'correct horse battery staple 7', recoveryPhrase: null };
      await client.register(own);
      await client.requestEmailConfirmation();
      await client.confirmEmail(await linkTo(own.email));
      expect((await client.account()).emailVerified).toBe(true);
    });

    it('is confirmed anew after a change, and the old one hears of it', async () => {
      const account = await aConfirmedAccount();
      const email = anEmail();
      const body = { email, current_password: account.password, ...aNewSecret() };
      const { body: changed } = await service.api.put('/api/users/me', body, account);
      expect(await me(changed)).toMatchObject({ email, email_verified: false });
      expect(subjects(await mailbox.mailsTo(account.email, 2))[1]).toBe(
        'Your account has another address now',
      );
      expect((await verify(await linkTo(email))).status).toBe(200);
      expect((await me(changed)).email_verified).toBe(true);
    });
  });

  describe('an account that nobody has confirmed', () => {
    const register = (email: string) => service.api.post('/api/auth/register', aRegistration({ email }));

    it('gives up its address after a day, if it was never used', async () => {
      const squatter = await anAccount(service.api, { default_profile_wrapped_dek: 'a key' });
      expect((await register(squatter.email)).status).toBe(409);
      await aDayOld(squatter.email);
      const { status, body } = await register(squatter.email);
      expect(status).toBe(201);
      expect((await service.api.get('/api/users/me', squatter)).status).toBe(401);
      expect((await me(body)).email).toBe(squatter.email);
      expect((await login(squatter)).status).toBe(401);
    });

    it('keeps it where it has stored something, and where it was confirmed', async () => {
      const [used, confirmed] = [await anAccount(service.api), await aConfirmedAccount()];
      await aHealthStat(service.api, used.token, await aProfile(service.api, used.token));
      for (const { email } of [used, confirmed]) {
        await aDayOld(email);
        expect((await register(email)).status).toBe(409);
      }
      expect((await login(used)).status).toBe(200);
    });

    it('is asked for by its mailbox, which frees the address; the account keeps the rest', async () => {
      const squatter = await anAccount(service.api);
      const profile = await aProfile(service.api, squatter.token);
      await aHealthStat(service.api, squatter.token, profile);
      const { email, password } = squatter;
      expect((await register(email)).body.code).toBe('email_taken');
      await aDayOld(email);
      // Of many tries in a day, one sends a link.
      const tries = await Promise.all([1, 2, 3].map(() => register(email)));
      expect(tries.map(({ body }) => body.code)).toEqual(Array(3).fill('email_taken'));
      const token = await linkTo(email, 2);
      const free = () => service.api.post('/api/auth/email/release', { token });
      const both = await Promise.all([free(), free()]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
      expect((await verify(token)).status).toBe(403);
      const owner = await register(email);
      expect(owner.status).toBe(201);
      expect(await me(owner.body)).toMatchObject({ email, email_verified: false });
      const { email: other } = await me(squatter);
      expect(other).toMatch(/^[0-9a-f-]{36}@released\.invalid$/);
      expect((await login(squatter)).status).toBe(401);
      const back = await login({ email: other as string, password });
      expect(back.status).toBe(200);
      expect((await service.api.get(`/api/profiles/${profile}`, back.body)).status).toBe(200);
      const { body: events } = await service.api.get('/api/users/me/events', back.body);
      expect(events.map(({ kind }: { kind: string }) => kind)).toContain('email_released');
      expect((await mailbox.mailsTo(email, 3)).length).toBe(3);
    });

    it('is asked for when another account moves to it, and never where it was confirmed', async () => {
      const [squatter, confirmed, owner] = [
        await anAccount(service.api),
        await aConfirmedAccount(),
        await anAccount(service.api),
      ];
      await aHealthStat(service.api, squatter.token, await aProfile(service.api, squatter.token));
      for (const { email } of [squatter, confirmed]) {
        await aDayOld(email);
        const body = { email, current_password: owner.password, ...aNewSecret() };
        expect((await service.api.put('/api/users/me', body, owner)).body.code).toBe('email_taken');
      }
      const client = new HealthRecordsClient({ baseUrl: service.api.url });
      await client.releaseEmail(await linkTo(squatter.email, 2));
      await linkTo((await anAccount(service.api)).email);
      expect(await mailbox.mailsTo(confirmed.email)).toHaveLength(1);
    });

    it('cannot be freed by a code that confirmed it', async () => {
      const account = await anAccount(service.api);
      const token = await linkTo(account.email);
      expect((await verify(token)).status).toBe(200);
      expect((await service.api.post('/api/auth/email/release', { token })).status).toBe(403);
      expect((await login(account)).status).toBe(200);
    });

    it('gives way to the move of another account, too', async () => {
      const [squatter, owner] = [await anAccount(service.api), await anAccount(service.api)];
      const move = () => {
        const body = { email: squatter.email, current_password: owner.password, ...aNewSecret() };
        return service.api.put('/api/users/me', body, owner);
      };
      expect((await move()).status).toBe(409);
      await aDayOld(squatter.email);
      expect((await move()).status).toBe(200);
    });
  });

  describe('a notice', () => {
    it('tells of a new device, a changed password, a reset and an erasure', async () => {
      const client = home();
      const account = await aConfirmedAccount(client);
      expect((await login(account, client)).status).toBe(200);
      const { body } = await login(account, home());
      const secret = { ...aNewSecret(), new_password: 'a second one' };
      const change = { current_password: account.password, ...secret };
      await client.post('/api/auth/change-password', change, { token: body.token });
      const reset = {
        email: account.email,
        recovery_proof: account.recoveryProof,
        ...aNewSecret(),
        new_password: 'a third',
      };
      expect((await client.post('/api/auth/recovery/reset-password', reset)).status).toBe(200);
      const { body: last } = await login({ ...account, password: 'a third' }, client);
      const erased = await client.post('/api/users/me/delete', { current_password: 'a third' }, last);
      expect(erased.status).toBe(204);
      expect(subjects(await mailbox.mailsTo(account.email, 5))).toEqual([
        'Please confirm your address',
        'A new device has signed in',
        'Your password was changed',
        'Your password was reset',
        'Your account was erased',
      ]);
    });

    it('goes to no address that is not confirmed', async () => {
      const account = await anAccount(service.api);
      await login(account, home());
      const change = { current_password: account.password, ...aNewSecret() };
      expect((await service.api.post('/api/auth/change-password', change, account)).status).toBe(200);
      await linkTo((await anAccount(service.api)).email);
      expect(await mailbox.mailsTo(account.email)).toHaveLength(1);
    });

    it('is plain text from the operator, with one link, to the page', async () => {
      const account = await aConfirmedAccount();
      await login(account, home());
      for (const { from, headers, text } of await mailbox.mailsTo(account.email, 2)) {
        expect([from, headers.from]).toEqual(['records@example.org', 'Health records <records@example.org>']);
        expect(headers['content-type']).toMatch(/^text\/plain; charset=utf-8/);
        expect(headers['auto-submitted']).toBe('auto-generated');
        const links = text.match(/\w+:\/\/\S+/g)!;
        expect(links).toHaveLength(1);
        expect(links[0]).toMatch(/^http:\/\/localhost\/(app\/confirm#[\w-]{64})?$/);
      }
    });
  });

  describe('an erasure that waits', () => {
    let waiting: TestService;
    beforeAll(async () => (waiting = await startService(settings({ ERASURE_DAYS: '7' }))));
    afterAll(() => waiting?.stop());

    async function anErasure(): Promise<Account> {
      const client = new ClientAt(waiting.api.url);
      const account = await aConfirmedAccount(client);
      const body = { current_password: account.password };
      expect((await client.post('/api/users/me/delete', body, account)).status).toBe(204);
      expect((await client.get('/api/users/me', account)).status).toBe(401);
      return account;
    }
    const makeDue = ({ email }: Account) =>
      sql(
        waiting.databaseUrl,
        `UPDATE accounts SET erase_at = erase_at - interval '7 days' WHERE email = $1`,
        [email],
      );

    it('is stopped by a sign-in', async () => {
      const account = await anErasure();
      const { status, body } = await login(account, waiting.api);
      expect(status).toBe(200);
      await makeDue(account);
      await keepHouse(waiting);
      expect((await waiting.api.get('/api/users/me', { token: body.token })).status).toBe(200);
      const { body: events } = await waiting.api.get('/api/users/me/events', { token: body.token });
      const kinds = events.map(({ kind }: { kind: string }) => kind);
      expect(kinds).toEqual(expect.arrayContaining(['erasure_planned', 'erasure_stopped']));
      const mails = subjects(await mailbox.mailsTo(account.email, 3));
      expect(mails.slice(1)).toEqual(['Your account will be erased', 'Your account will not be erased']);
    });

    it('is done after its days', async () => {
      const account = await anErasure();
      await keepHouse(waiting);
      const found = () => sql(waiting.databaseUrl, 'SELECT FROM accounts WHERE email = $1', [account.email]);
      expect(await found()).toHaveLength(1);
      await makeDue(account);
      await keepHouse(waiting);
      expect(await found()).toHaveLength(0);
      expect((await login(account, waiting.api)).status).toBe(401);
      expect(subjects(await mailbox.mailsTo(account.email, 3))[2]).toBe('Your account was erased');
      expect((await anAccount(waiting.api, { email: account.email })).email).toBe(account.email);
    });
  });

  it('refuses one receiver, and others get theirs', async () => {
    mailbox.refuse('nobody-');
    const { email } = await anAccount(service.api, { email: `nobody-${anEmail()}` });
    await linkTo((await anAccount(service.api)).email);
    expect(mailbox.received.map(({ to }) => to)).not.toContain(email);
  });

  it('speaks the language that the operator has set', async () => {
    const german = await startService(settings({ MAIL_LANGUAGE: 'de' }));
    try {
      const { email } = await anAccount(german.api);
      expect((await mailbox.mailsTo(email))[0].text).toContain('Dann öffnen Sie diesen Link');
    } finally {
      await german.stop();
    }
  });

  it('waits while the mail server is away, and no request waits for it', async () => {
    await mailbox.close();
    const accounts = await Promise.all(Array.from({ length: 5 }, () => anAccount(service.api)));
    expect((await login(accounts[0], home())).status).toBe(200);
    await mailbox.open();
    for (const { email } of accounts) expect((await verify(await linkTo(email))).status).toBe(200);
  });
});

describe('without SMTP_URL', () => {
  it('there is nothing of it', async () => {
    const { api, databaseUrl } = await sharedService();
    const account = await anAccount(api);
    const unknown = await api.get('/api/nothing', account);
    for (const answer of [
      await api.post('/api/auth/email/verify', { token: 'a'.repeat(64) }),
      await api.post('/api/auth/email/release', { token: 'a'.repeat(64) }),
      await api.post('/api/users/me/email/verification', {}, account),
    ])
      expect([answer.status, answer.body.code, answer.body.error]).toEqual([
        404,
        'not_found',
        unknown.body.error,
      ]);
    const [row] = await sql(
      databaseUrl,
      `UPDATE accounts SET created_at = created_at - interval '2 days' WHERE email = $1
        RETURNING email_verified, verification_token, verification_expires`,
      [account.email],
    );
    expect(row).toEqual({ email_verified: false, verification_token: null, verification_expires: null });
    const again = await api.post('/api/auth/register', aRegistration({ email: account.email }));
    expect([again.status, again.body.code]).toEqual([409, 'email_taken']);
  });
});
