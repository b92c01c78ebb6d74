import { randomBytes } from 'node:crypto';
import { majorityShape, shapeOf } from './decoy-shape.rule';

const wrapOf = (bytes: number, encoding: BufferEncoding) => ({
  recovery_wrapped_dek: randomBytes(bytes).toString(encoding),
  recovery_wrapped_dek_iv: randomBytes(12).toString(encoding),
});
const many = (count: number, wrap: () => object) => Array.from({ length: count }, wrap) as never[];

it.each([
  ['base64', randomBytes(48).toString('base64'), { encoding: 'base64', bytes: 48 }],
  ['padded base64', randomBytes(40).toString('base64'), { encoding: 'base64', bytes: 40 }],
  ['base64url without padding', randomBytes(5).toString('base64url'), { encoding: 'base64url', bytes: 5 }],
  ['hex', randomBytes(60).toString('hex'), { encoding: 'hex', bytes: 60 }],
  ['base64 that was cut', 'AB+C/'.repeat(3), undefined],
  ['JSON', '{"ciphertext":"AAAA"}', undefined],
  ['nothing', '', undefined],
])('reads %s', (_, text, shape) => expect(shapeOf(text)).toEqual(shape));

it('finds the shape of the majority, however long it is', () => {
  const wraps = [...many(6, () => wrapOf(300, 'hex')), ...many(5, () => wrapOf(48, 'base64'))];
  const hex = (bytes: number) => ({ encoding: 'hex', bytes });
  expect(majorityShape(wraps)).toEqual({ wrap: hex(300), iv: hex(12) });
});

it.each([
  ['too few wraps', many(9, () => wrapOf(48, 'base64'))],
  ['no majority', [...many(5, () => wrapOf(48, 'base64')), ...many(5, () => wrapOf(60, 'base64'))]],
  [
    'a majority that cannot be read',
    many(20, () => ({ recovery_wrapped_dek: '<x>', recovery_wrapped_dek_iv: 'y' })),
  ],
])('decides nothing with %s', (_, wraps) => expect(majorityShape(wraps)).toBeUndefined());
