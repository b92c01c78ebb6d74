import { generateRecoveryPhrase, normalizeRecoveryPhrase } from './recovery-phrase';

const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

describe('generateRecoveryPhrase', () => {
  it('makes twelve words that pass their own check, another phrase each time', async () => {
    const phrases = await Promise.all(Array.from({ length: 50 }, generateRecoveryPhrase));
    for (const each of phrases) {
      expect(each.split(' ')).toHaveLength(12);
      expect(await normalizeRecoveryPhrase(each)).toBe(each);
    }
    expect(new Set(phrases).size).toBe(50);
  });
});

describe('normalizeRecoveryPhrase', () => {
  it.each([
    ['capitals', phrase.toUpperCase()],
    ['line breaks and tabs', phrase.replaceAll(' ', '\r\n\t')],
    ['double spaces around', `   ${phrase.replaceAll(' ', '  ')}  `],
    [
      'no-break, narrow and ideographic spaces',
      phrase.replace(' ', '\u00a0').replace(' ', '\u202f').replace(' ', '\u3000'),
    ],
    ['zero-width space and byte order mark', `\ufeff${phrase.replaceAll(' ', '\u200b')}`],
    ['a soft hyphen and a word joiner inside a word', phrase.replace('winner', 'win\u00adn\u2060er')],
    ['full-width letters', phrase.replace('legal', '\uff4c\uff45\uff47\uff41\uff4c')],
    ['a dotted capital I', phrase.replace('winner', 'W\u0130NNER')],
    [
      'a numbered list',
      phrase
        .split(' ')
        .map((word, at) => `${at + 1}. ${word}`)
        .join('\n'),
    ],
    ['commas and quotes', `"${phrase.replaceAll(' ', ', ')}."`],
  ])('forgives %s', async (_what, typed) => {
    expect(await normalizeRecoveryPhrase(typed)).toBe(phrase);
  });

  it('names each mistyped word with its place and likely words', async () => {
    const typed = phrase.replace('year', 'yaer').replace('useful', 'usful');
    await expect(normalizeRecoveryPhrase(typed)).rejects.toEqual(
      expect.objectContaining({
        code: 'phrase_unknown_word',
        message: expect.stringMatching(/word 4, "yaer" .*"year".*word 8, "usful" .*"useful"/),
        unknownWords: [
          { position: 4, word: 'yaer', suggestions: expect.arrayContaining(['year']) },
          { position: 8, word: 'usful', suggestions: expect.arrayContaining(['useful']) },
        ],
      }),
    );
  });

  it('suggests the word that begins like an abbreviation', async () => {
    const error = await catchError(() => normalizeRecoveryPhrase(phrase.replace('sausage', 'saus')));
    expect(error.unknownWords[0].suggestions[0]).toBe('sausage');
  });

  it('counts the words, and names unknown ones among them', async () => {
    expect((await catchError(() => normalizeRecoveryPhrase(''))).code).toBe('phrase_word_count');
    const error = await catchError(() => normalizeRecoveryPhrase(`${phrase} xyzzy`));
    expect(error).toMatchObject({
      code: 'phrase_word_count',
      unknownWords: [{ position: 13, word: 'xyzzy' }],
    });
  });

  it('does not take 24 words, nor a digit inside a word', async () => {
    expect((await catchError(() => normalizeRecoveryPhrase(`${phrase} ${phrase}`))).code).toBe(
      'phrase_word_count',
    );
    expect((await catchError(() => normalizeRecoveryPhrase(phrase.replace('winner', 'w1nner')))).code).toBe(
      'phrase_unknown_word',
    );
  });
});

async function catchError(run: () => Promise<unknown>): Promise<any> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
