import { SLOWED_SECRETS } from '@app/common/observation';
import { ClientAt, LIMITED } from '../support/clients';
import { type Account, anAccount, anEmail } from '../support/factories';
import { countersOf, setCounters } from '../support/limit-counters';
import { type ServiceHere, startServiceHere } from '../support/service-here';

describe('while strangers try passwords at many accounts', () => {
  let service: ServiceHere;
  let owner: Account;
  let home: ClientAt;
  let slowed = 0;
  let end: () => void;
  const stranger = () => new ClientAt(service.api.url);
  const wrong = (email = anEmail()) => stranger().post('/api/auth/login', { email, password: 'a guess' });
  const login = (client: ClientAt, more: object = {}) =>
    client.post('/api/auth/login', { email: owner.email, password: owner.password, ...more });
  /** How many of the service's tries had to wait while `work` ran. */
  const slowedBy = async (work: () => Promise<{ status: number }>) => {
    const before = slowed;
    const { status } = await work();
    return [status, slowed - before];
  };

  beforeAll(async () => {
    service = await startServiceHere(LIMITED);
    home = new ClientAt(service.api.url);
    owner = await anAccount(home);
    end = SLOWED_SECRETS.listen(() => slowed++);
  });
  afterAll(async () => {
    end();
    await service.stop();
  });

  it('nobody waits below the budget, and wrong tries of all networks and emails are one count', async () => {
    expect(await slowedBy(() => wrong())).toEqual([401, 0]);
    await wrong();
    expect(await countersOf(service.databaseUrl, 'secret-service')).toMatchObject([{ points: 2 }]);
  });

  it('a stranger waits beyond it, with a right password too, and is not refused', async () => {
    await setCounters(service.databaseUrl, 'secret-service', 1_000);
    await wrong();
    const begun = performance.now();
    expect(await slowedBy(() => login(stranger()))).toEqual([200, 1]);
    expect(performance.now() - begun).toBeGreaterThan(450);
  });

  it('the owner does not wait: on a known device, at a known address, in a session, with the phrase', async () => {
    const { body } = await login(home, { remember_device: true });
    const { email, password, recoveryProof, token } = owner;
    expect(await slowedBy(() => login(stranger(), { device_token: body.device_token }))).toEqual([200, 0]);
    expect(await slowedBy(() => login(home))).toEqual([200, 0]);
    const stepUp = { current_password: password };
    expect(await slowedBy(() => stranger().post('/api/auth/device-token', stepUp, { token }))).toEqual([
      201, 0,
    ]);
    const proof = { email, recovery_proof: recoveryProof };
    expect(await slowedBy(() => stranger().post('/api/auth/recovery/verify', proof))).toEqual([200, 0]);
  });

  it('known and unknown emails wait alike', async () => {
    expect(await slowedBy(() => wrong(owner.email))).toEqual([401, 1]);
    expect(await slowedBy(() => wrong())).toEqual([401, 1]);
  });
});
