import { PasswordHasher } from '@app/security';
import { aNewSecret, type Answer, expectFailure } from '@app/testing';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { type Account, aCiphertext, anAccount, anEmail } from '../support/factories';
import { type ServiceHere, startServiceHere } from '../support/service-here';

let databaseUrl: string;
/** One on which hashes have become dearer, and one that does not know yet. */
let dearer: ServiceHere;
let service: ServiceHere;
beforeAll(async () => {
  databaseUrl = await createDatabase();
  dearer = await startServiceHere({ DATABASE_URL: databaseUrl, PASSWORD_HASH_ITERATIONS: '2' });
  service = await startServiceHere({ DATABASE_URL: databaseUrl });
});
afterAll(async () => {
  await service.stop();
  await dearer.stop();
  await dropDatabase(databaseUrl);
});
afterEach(() => jest.restoreAllMocks());

const login = ({ email, password }: Pick<Account, 'email' | 'password'>, at = service) =>
  at.api.post('/api/auth/login', { email, password });
const setUp = ({ token, password }: Account, body: object) =>
  service.api.post('/api/auth/recovery/setup', { current_password: password, ...body }, { token });
const aWrap = () => ({ recovery_wrapped_dek: aCiphertext(), recovery_wrapped_dek_iv: aCiphertext(12) });

const STEP_UPS: [string, string, () => object, number][] = [
  ['POST', '/api/auth/change-password', aNewSecret, 200],
  ['PUT', '/api/users/me', () => ({ email: anEmail(), ...aNewSecret() }), 200],
  ['POST', '/api/users/me/delete', () => ({}), 204],
  ['POST', '/api/auth/recovery/setup', () => ({ recovery_proof: aCiphertext(32), ...aWrap() }), 200],
];

/** Does `meanwhile` while the service checks the next secret. */
function whileChecking(meanwhile: () => Promise<unknown>): void {
  const hasher = service.app.get(PasswordHasher);
  const verify = hasher.verify.bind(hasher);
  jest.spyOn(hasher, 'verify').mockImplementationOnce(async (...check) => {
    const isRight = await verify(...check);
    await meanwhile();
    return isRight;
  });
}

describe.each(STEP_UPS)('%s %s', (method, path, body, status) => {
  const stepUp = ({ token, password }: Account): Promise<Answer> =>
    service.api.call(method, path, { current_password: password, ...body() }, { token });

  it('succeeds while a login raises the cost of the very hash', async () => {
    const account = await anAccount(service.api);
    const hashOf = async () => {
      const [row] = await sql<{ password_hash: string }>(
        databaseUrl,
        'SELECT password_hash FROM accounts WHERE email = $1',
        [account.email],
      );
      return row.password_hash;
    };
    const before = await hashOf();
    whileChecking(async () => {
      expect((await login(account, dearer)).status).toBe(200);
      expect(await hashOf()).not.toBe(before);
    });
    expect((await stepUp(account)).status).toBe(status);
  });

  it('is refused where the password was changed while it was checked', async () => {
    const account = await anAccount(service.api);
    const changed = { current_password: account.password, ...aNewSecret() };
    whileChecking(async () => {
      const { status } = await dearer.api.post('/api/auth/change-password', changed, {
        token: account.token,
      });
      expect(status).toBe(200);
    });
    expectFailure(await stepUp(account), 'token_revoked');
    expect((await login({ ...account, password: changed.new_password })).status).toBe(200);
  });
});

describe('a reset by recovery proof', () => {
  it('is refused where the phrase was replaced while it was checked', async () => {
    const account = await anAccount(service.api);
    whileChecking(async () => {
      const { status } = await dearer.api.post(
        '/api/auth/recovery/setup',
        { current_password: account.password, recovery_proof: aCiphertext(32), ...aWrap() },
        { token: account.token },
      );
      expect(status).toBe(200);
    });
    const answer = await service.api.post('/api/auth/recovery/reset-password', {
      email: account.email,
      recovery_proof: account.recoveryProof,
      ...aNewSecret(),
    });
    expectFailure(answer, 'invalid_credentials');
    expect((await login(account)).status).toBe(200);
  });
});

describe('two set-ups of recovery at once', () => {
  it('tell the later one that a wrap is needed, and leave the phrase of the first', async () => {
    const account = await anAccount(service.api, { recovery_proof: undefined });
    const first = { recovery_proof: aCiphertext(32), ...aWrap() };
    // Both find recovery off: the first comes while the password of the later one is checked.
    whileChecking(async () => expect((await setUp(account, first)).status).toBe(200));
    expectFailure(
      await setUp(account, { recovery_proof: aCiphertext(32) }),
      'validation_failed',
      'recovery_wrapped_dek',
    );
    const verify = await service.api.post('/api/auth/recovery/verify', {
      email: account.email,
      recovery_proof: first.recovery_proof,
    });
    expect(verify.body).toEqual({ verified: true });
  });
});
