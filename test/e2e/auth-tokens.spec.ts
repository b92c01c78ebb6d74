import { createHmac } from 'node:crypto';
import { type Answer, decodeToken } from '@app/testing';
import { aCiphertext, anAccount, anEmail, aRegistration } from '../support/factories';
import { type SharedService, sharedService, TEST_ENVIRONMENT } from '../support/service';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

describe('tokens', () => {
  let service: SharedService;
  beforeAll(async () => (service = await sharedService()));

  /** Every way to get tokens, each on an account of its own. */
  const ISSUERS: Record<string, (email: string) => Promise<Answer>> = {
    register: (email) => service.api.post('/api/auth/register', aRegistration({ email })),
    login: async (email) => {
      const { password } = await anAccount(service.api, { email });
      return service.api.post('/api/auth/login', { email, password });
    },
    refresh: async (email) => {
      const { refreshToken } = await anAccount(service.api, { email });
      return service.api.post('/api/auth/refresh', { refresh_token: refreshToken });
    },
    'change-password': async (email) => {
      const { token, password } = await anAccount(service.api, { email });
      return service.api.post('/api/auth/change-password', newSecret(password), { token });
    },
    'PUT users/me': async (email) => {
      const { token, password } = await anAccount(service.api);
      return service.api.put('/api/users/me', { ...newSecret(password), email }, { token });
    },
  };
  const VERSIONS: Record<string, number> = { 'change-password': 1, 'PUT users/me': 1 };

  const newSecret = (password: string) => ({
    current_password: password,
    new_password: aCiphertext(32),
    new_wrapped_dek: aCiphertext(),
    new_wrapped_dek_iv: aCiphertext(12),
  });

  it.each(Object.keys(ISSUERS))('of %s are exactly as the contract says', async (issuer) => {
    const earliest = Math.floor(Date.now() / 1000);
    const email = anEmail();
    const { body } = await ISSUERS[issuer](email);
    const latest = Math.floor(Date.now() / 1000);
    const me = (await service.api.get('/api/users/me', { token: body.token })).body;
    const [access, refresh] = [decodeToken(body.token), decodeToken(body.refresh_token)];
    const common = { sub: me.id, user_id: me.id, token_version: VERSIONS[issuer] ?? 0 };

    const { iat } = access.payload;
    expect(iat).toBeGreaterThanOrEqual(earliest);
    expect(iat).toBeLessThanOrEqual(latest);
    expect(access.payload).toEqual({ ...common, email, iat, exp: iat + 15 * MINUTE });
    const issued = refresh.payload.iat;
    expect(issued).toBeGreaterThanOrEqual(earliest);
    expect(issued).toBeLessThanOrEqual(latest);
    expect(refresh.payload).toEqual({ ...common, iat: issued, exp: issued + 30 * DAY });

    expect(access.header).toEqual({ alg: 'HS256', typ: 'at+jwt', jti: expect.stringMatching(/.{16,}/) });
    expect(refresh.header).toEqual({ alg: 'HS256', typ: 'rt+jwt', jti: expect.stringMatching(/.{16,}/) });
    expect(access.header.jti).not.toBe(refresh.header.jti);
  });

  it('are signed with HMAC-SHA-256 under the shared secret', async () => {
    const { token, refreshToken } = await anAccount(service.api);
    for (const signed of [token, refreshToken]) {
      const [header, payload, signature] = signed.split('.');
      const expected = createHmac('sha256', TEST_ENVIRONMENT.JWT_SECRET).update(`${header}.${payload}`);
      expect(signature).toBe(expected.digest('base64url'));
    }
  });

  it('of two logins in one second differ', async () => {
    const { email, password } = await anAccount(service.api);
    const login = async () => (await service.api.post('/api/auth/login', { email, password })).body;
    let pair = await Promise.all([login(), login()]);
    // Two logins at once may fall on both sides of a second's end, but not again and again.
    while (decodeToken(pair[0].token).payload.iat !== decodeToken(pair[1].token).payload.iat) {
      pair = await Promise.all([login(), login()]);
    }
    const [first, second] = pair;
    expect(decodeToken(first.token).payload).toEqual(decodeToken(second.token).payload);
    expect(first.token).not.toBe(second.token);
    expect(first.refresh_token).not.toBe(second.refresh_token);
  });

  it('never share a jti', async () => {
    const { email, password } = await anAccount(service.api);
    const logins = Array.from({ length: 10 }, () => service.api.post('/api/auth/login', { email, password }));
    const tokens = (await Promise.all(logins)).flatMap(({ body }) => [body.token, body.refresh_token]);
    expect(new Set(tokens.map((token) => decodeToken(token).header.jti)).size).toBe(20);
  });
});
