import { AddressPseudonyms } from './address-pseudonyms';

const ACCOUNT = '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c11';
const pseudonyms = new AddressPseudonyms({
  jwtSecret: 'j'.repeat(32),
  decoySecret: 'd'.repeat(32),
  secondStepSecret: 's'.repeat(32),
});
const hexOf = (address: string, account = ACCOUNT) => pseudonyms.of(account, address).toString('hex');

it('gives the values that databases hold already', () => {
  expect(hexOf('192.0.2.7')).toBe('35265617ce186ec561ca4554711d14522fc4a7a0c6d87a866ae4c33d2153f751');
  expect(hexOf('2001:db8:1:2::9')).toBe('ebd188c9a25b9b448fa789af0beb5d5f8369997ff127d4c9ee80ff93f0daa851');
});

it('gives one value to every address of a network', () => {
  expect(hexOf('2001:db8:1:2:ffff::1')).toBe(hexOf('2001:db8:1:2::9'));
  expect(hexOf('::ffff:192.0.2.7')).toBe(hexOf('192.0.2.7'));
});

it('gives another value to another network, another account and another secret', () => {
  const other = new AddressPseudonyms({
    jwtSecret: 'j'.repeat(32),
    decoySecret: 'e'.repeat(32),
    secondStepSecret: 's'.repeat(32),
  });
  const values = [
    hexOf('192.0.2.7'),
    hexOf('192.0.2.8'),
    hexOf('192.0.2.7', '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c12'),
    other.of(ACCOUNT, '192.0.2.7').toString('hex'),
  ];
  expect(new Set(values).size).toBe(4);
});
