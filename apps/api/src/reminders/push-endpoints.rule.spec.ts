import { isPublicAddress, isPushEndpoint } from './push-endpoints.rule';

const ADDED = ['ntfy.home', 'push.example.org:8443'];

describe('a push service', () => {
  it.each([
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/abc',
    'https://wns2-par02p.notify.windows.com/w/?token=abc',
    'https://ntfy.sh/abc?up=1',
    'https://ntfy.home/abc',
    'https://push.example.org:8443/abc',
  ])('takes messages at %s', (endpoint) => expect(isPushEndpoint(endpoint, ADDED)).toBe(true));

  it.each([
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:8443/abc',
    'https://fcm.googleapis.com@evil.example/abc',
    'https://user@fcm.googleapis.com/abc',
    'https://fcm.googleapis.com.evil.example/abc',
    'https://evilpush.apple.com/abc',
    'https://push.apple.com/abc',
    'https://evil.example/fcm.googleapis.com',
    'https://127.0.0.1/abc',
    'https://[::1]/abc',
    'https://ntfy.home:8080/abc',
    'https://push.example.org/abc',
    'https://fcm.googleapis.com/abc#part',
    'file:///etc/passwd',
    `https://ntfy.sh/${'a'.repeat(1024)}`,
    'nothing',
  ])('is not %s', (endpoint) => expect(isPushEndpoint(endpoint, ADDED)).toBe(false));

  it.each([
    ['8.8.8.8', true],
    ['2a00:1450:4001:81b::200a', true],
    ...[
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '::1',
      '::',
      'fe80::1',
      'fc00::1',
      'ff02::1',
      '::ffff:10.0.0.1',
      '64:ff9b::a00:1',
      '2002:a00:1::',
    ].map((address): [string, boolean] => [address, false]),
  ])('is reached at %s: %p', (address, expected) => expect(isPublicAddress(address)).toBe(expected));
});
