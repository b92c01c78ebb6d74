import { networkOf, widerNetworksOf } from '../../libs/security/src/rate-limits/network';
import { anAddress, ClientAt, LIMITED } from '../support/clients';
import { aCiphertext, anEmail } from '../support/factories';
import { startService, type TestService } from '../support/service';

/** Whether five wrong secrets from one address use up what another one may try. */
async function areOneClient({ api: { url } }: TestService, one: string, other: string): Promise<boolean> {
  const email = anEmail();
  const login = (address: string) =>
    new ClientAt(url, address).post('/api/auth/login', { email, password: aCiphertext(32) });
  for (let count = 0; count < 5; count++) expect((await login(one)).status).toBe(401);
  return (await login(other)).status === 429;
}

describe('behind one proxy', () => {
  let service: TestService;
  beforeAll(async () => (service = await startService(LIMITED)));
  afterAll(() => service.stop());

  it.each([
    ['two addresses of one IPv6 /64', '2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
    ['two spellings of one IPv6 address', '2001:db8:1:2:0:0:0:1', '2001:0DB8:0001:0002::1', true],
    ['two neighbouring /64s', '2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['two that begin with zeros', '::2:0:0:0:1', '::3:0:0:0:1', false],
    ['two IPv4 neighbours', '10.0.0.1', '10.0.0.2', false],
    ['an IPv4 address and its IPv6-mapped form', '10.9.0.1', '::ffff:10.9.0.1', true],
    ['an IPv4 address and its mapped form in groups', '10.9.1.2', '::ffff:a09:102', true],
    ['two mapped IPv4 addresses', '::ffff:10.0.0.3', '::ffff:10.0.0.4', false],
    ['one IPv4 address with two ports', '10.9.0.5:4711', '10.9.0.5:4712', true],
    ['one IPv6 address with and without a port', '[2001:db8:7::1]:4711', '2001:db8:7::1', true],
    ['the same entry after two forged ones', '1.1.1.1, 10.9.0.7', '2.2.2.2, 10.9.0.7', true],
    ['two entries after the same forged one', '1.1.1.1, 10.9.0.8', '1.1.1.1, 10.9.0.9', false],
  ])('takes %s for what they are', async (_, one, other, same) => {
    expect(await areOneClient(service, one, other)).toBe(same);
  });
});

describe.each([
  ['no proxy', '0', true],
  ['two proxies', '2', false],
])('with %s to trust', (_, hops, same) => {
  let service: TestService;
  beforeAll(async () => (service = await startService({ ...LIMITED, TRUST_PROXY_HOPS: hops })));
  afterAll(() => service.stop());

  it('believes just as many entries of X-Forwarded-For', async () => {
    const proxy = anAddress();
    expect(await areOneClient(service, `${anAddress()}, ${proxy}`, `${anAddress()}, ${proxy}`)).toBe(same);
  });
});

it.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['64:ff9b::1.2.3.4', '64:ff9b:0:0'],
  ['', ''],
  ['unknown', 'unknown'],
])('the network of %p is %p', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it.each([
  ['10.1.2.3', undefined, '10.1.2/24'],
  ['::ffff:10.1.2.3', undefined, '10.1.2/24'],
  ['2001:db8:1:2fa::1', '2001:db8:1:2/56', '2001:db8:1/48'],
  ['2001:db8:1:fa::1', '2001:db8:1:0/56', '2001:db8:1/48'],
  ['2001:db8:1:ab02::1', '2001:db8:1:ab/56', '2001:db8:1/48'],
  ['::1', '0:0:0:0/56', '0:0:0/48'],
  ['unknown', undefined, 'unknown'],
])('the larger networks of %p are %p and %p', (address, site, block) => {
  expect(widerNetworksOf(networkOf(address))).toEqual({ site, block });
});
