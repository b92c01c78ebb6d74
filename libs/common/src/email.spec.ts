import fc from 'fast-check';
import { normalizeEmail } from './email';

describe('normalizeEmail', () => {
  it.each([
    ['ana@example.org', 'ana@example.org'],
    ['  ana@example.org\t', 'ana@example.org'],
    ['Ana@Example.ORG', 'ana@example.org'],
    ['\u3000ana@example.org\u00a0', 'ana@example.org'],
    ['\uff21na@example.org', 'ana@example.org'],
    ['ana\uff20example.org', 'ana@example.org'],
    ['jose\u0301@example.org', 'jos\u00e9@example.org'],
    ['\u212aim@example.org', 'kim@example.org'],
    ['ste\ufb03@example.org', 'steffi@example.org'],
    ['ana+health@example.org', 'ana+health@example.org'],
    ['a@b', 'a@b'],
    ['ana@example.org.', 'ana@example.org'],
    ['ana@exam\u200bple.org', 'ana@example.org'],
    ['ana@exam\u00adple.org', 'ana@example.org'],
    ['ana@example\u3002org', 'ana@example.org'],
    ['ana@xn--mller-kva.example', 'ana@m\u00fcller.example'],
    ['ana@M\u00dcLLER.example', 'ana@m\u00fcller.example'],
    // No domain of the internet: as it is.
    ['ana@1.2', 'ana@1.2'],
    ['ana@no domain', 'ana@no domain'],
    // Lower case splits this letter into marks whose order is not the normalised one.
    ['\u0130\u0327@example.org', 'i\u0327\u0307@example.org'],
  ])('makes %j %j', (text, expected) => {
    expect(normalizeEmail(text)).toBe(expected);
  });

  it.each([
    '',
    ' ',
    '@',
    'ana',
    'ana@',
    '@example.org',
    'ana@ ',
    ' @example.org',
    'a@b@c',
    'a\n@b',
    'a\0@b',
    'a@b\u007fc',
  ])('takes %j for no email', (text) => {
    expect(normalizeEmail(text)).toBeUndefined();
  });

  it('counts 254 characters, not bytes or code units', () => {
    const domain = '@example.org';
    const longest = '\u{10400}'.repeat(254 - domain.length) + domain;
    expect([...normalizeEmail(longest)!]).toHaveLength(254);
    expect(normalizeEmail(`a${longest}`)).toBeUndefined();
  });

  it('counts after normalising: a ligature is as long as its letters', () => {
    const domain = '@example.org';
    expect(normalizeEmail('\ufb03'.repeat(80) + domain)).toHaveLength(252);
    expect(normalizeEmail('\ufb03'.repeat(81) + domain)).toBeUndefined();
  });

  it('changes nothing when it is applied again', () => {
    const part = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
    const once = fc.tuple(part, part).map(([local, domain]) => normalizeEmail(`${local}@${domain}`));
    fc.assert(
      fc.property(once, (email) => {
        fc.pre(email !== undefined);
        expect(normalizeEmail(email)).toBe(email);
      }),
      { numRuns: 200 * Number(process.env.TEST_LONG ?? 1) },
    );
  });
});
