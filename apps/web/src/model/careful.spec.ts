import { isCareful } from './careful';

describe('medicines of which a wrong dose does harm', () => {
  it.each([
    ...[
      'insulin glargine',
      'Insulina',
      'Methotrexat',
      'Metotrexato',
      'warfarin',
      'phenprocoumon',
      'Acenocumarol',
    ],
    ...[
      'enoxaparin',
      'rivaroxaban',
      'dabigatran',
      'Morphin',
      'Morfina',
      'oxycodone',
      'hydromorphone',
      'codeine',
    ],
    ...['fentanyl', 'tramadol', 'buprenorphine', 'Metadona', 'pethidine'],
  ])('%s', (name) => expect(isCareful([name])).toBe(true));

  it.each(['ibuprofen', 'aspirin', 'apomorphine', 'metformin', 'naloxone', 'paracetamol', 'prednisolone'])(
    'not %s',
    (name) => expect(isCareful([name])).toBe(false),
  );

  it('by the substance that a brand was read as', () => {
    expect(isCareful(['Xarelto', 'rivaroxaban'])).toBe(true);
  });
});
