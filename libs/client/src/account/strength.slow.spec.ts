import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as english } from '@zxcvbn-ts/language-en';
import { estimate as estimateShort } from './small-estimator';
import { estimateSecret, MIN_GUESSES_LOG10 } from './strength';
import { estimate as estimateLarge } from './strength-estimator';

const LISTS: Record<string, (string | number)[]> = { ...common, ...english };
const USER = ['ada.canary@example.org', 'ada', 'canary', 'example'];

/** The same numbers in each run. */
function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
const next = random(7);
const oneOf = <T>(all: ArrayLike<T>): T => all[Math.floor(next() * all.length)];
const some = (count: number, make: () => string) => Array.from({ length: count }, make);
const wordsOf = (name: string, least = 1) =>
  LISTS[name].map(String).filter((word) => word.length >= least && /^[a-z]+$/.test(word));
const capital = (word: string) => word[0].toUpperCase() + word.slice(1);
const LEET: Record<string, string> = { a: '4', e: '3', i: '1', o: '0', s: '$' };
const leet = (word: string) => word.replace(/[aeios]/g, (each) => LEET[each]);
const year = () => String(1930 + Math.floor(next() * 96));
const letters = (from: string, length: number) => some(length, () => oneOf(from)).join('');

const [words, names, frequent, dice] = [
  wordsOf('commonWords-en', 3),
  [...wordsOf('firstnames-en'), ...wordsOf('lastnames-en', 3).slice(0, 20_000)],
  LISTS['passwords-common'].map(String),
  wordsOf('diceware-common'),
];
const long = Object.keys(LISTS).flatMap((name) => wordsOf(name, 12));

/** What people choose, and what programs make, by how it is made. */
const SECRETS: Record<string, string[]> = {
  'a frequent password': frequent.filter((_, at) => at % 800 === 0),
  'a long frequent password': frequent.filter((each) => each.length >= 12).filter((_, at) => at % 8 === 0),
  'a long word': some(40, () => oneOf(long)),
  'a long word with an ending': some(
    40,
    () => capital(oneOf(long)) + oneOf(['1', '!', '123', '2024', '1!', '?']),
  ),
  'a long word with other signs': some(40, () => leet(oneOf(long))),
  'a word, a year, a sign': some(40, () => capital(oneOf(words)) + year() + oneOf('!?.-+*')),
  'a name, a year': some(40, () => capital(oneOf(names)) + oneOf(['', '-', '.', '_']) + year()),
  'two names': some(30, () => `${capital(oneOf(names))}${capital(oneOf(names))}`),
  'two words, glued': ['wavelengthswebcam', ...some(40, () => oneOf(words) + oneOf(words))],
  'two words, a number': some(30, () => oneOf(words) + oneOf(['', '-', ' ']) + oneOf(words) + year()),
  'keys in a row': [
    'qwertzuiopasdf',
    '1q2w3e4r5t6z7u8i',
    'zaq1xsw2cde3vfr4',
    'asdfghjklqwertyuiop',
    '!QAZ2wsx#EDC4rfv',
  ],
  'repeats and dates': [
    'abcabcabcabcabc',
    '121212121212121212',
    '24.12.1985-01.01.1990',
    'aaaaaaaaaaaaaaaaaa',
    'passwordpassword',
  ],
  'the email': ['ada.canary@example.org', 'ada.canary1985', 'canaryexample2024'],
  'four words': some(30, () => some(4, () => oneOf(dice)).join(oneOf([' ', '-', '.']))),
  'three words': some(20, () => some(3, () => oneOf(words)).join(' ')),
  'four words, glued': some(20, () => some(4, () => oneOf(words)).join('')),
  '16 letters and digits': some(30, () =>
    letters('abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789', 16),
  ),
  '20 signs': some(30, () =>
    letters('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#%&*+-/=?@', 20),
  ),
  '16 small letters': some(20, () => letters('abcdefghijklmnopqrstuvwxyz', 16)),
};

interface Judged {
  secret: string;
  short: ReturnType<typeof estimateShort>;
  large: number;
}

const isStrong = (guessesLog10: number) => guessesLog10 >= MIN_GUESSES_LOG10;
const judged = Object.entries(SECRETS).map(([made, secrets]): [string, Judged[]] => [
  made,
  secrets.map((secret) => ({
    secret,
    short: estimateShort(secret, USER),
    large: estimateLarge(secret, USER).guessesLog10,
  })),
]);

const madeBy = (...names: string[]) =>
  judged.filter(([made]) => names.includes(made)).flatMap(([, all]) => all);
const PASSPHRASES = madeBy('four words', 'three words');
const OF_PROGRAMS = madeBy('16 letters and digits', '20 signs', '16 small letters');

describe('the short lists, beside the large ones', () => {
  it.each(judged)('never call a clearly weak secret strong: %s', (_made, all) => {
    // A quarter of an order of magnitude is no difference that anybody can measure.
    const isClearlyWeak = (large: number) => large < MIN_GUESSES_LOG10 - 0.25;
    const tooMild = all.filter(
      ({ short, large }) => isStrong(short.least.guessesLog10) && isClearlyWeak(large),
    );
    expect(tooMild.map(({ secret, large }) => [secret, large])).toEqual([]);
  });

  it.each(judged)('refuse by themselves nothing that the large ones accept: %s', (_made, all) => {
    const tooHard = all.filter(({ short, large }) => !isStrong(short.most.guessesLog10) && isStrong(large));
    expect(tooHard.map(({ secret, large }) => [secret, large])).toEqual([]);
  });

  it('are strict and mild somewhere in this list: it has secrets of all kinds', () => {
    const all = judged.flatMap(([, each]) => each);
    expect(all.length).toBeGreaterThan(400);
    expect(all.filter(({ large }) => isStrong(large)).length).toBeGreaterThan(100);
    expect(all.filter(({ large }) => large < 6).length).toBeGreaterThan(20);
  });

  it('decide alone about words with spaces, and about half of what programs make', () => {
    const doubts = (all: Judged[]) =>
      all.filter(({ short: { least, most } }) => isStrong(most.guessesLog10) && !isStrong(least.guessesLog10))
        .length;
    expect(doubts(PASSPHRASES)).toBeLessThan(PASSPHRASES.length * 0.05);
    expect(doubts(OF_PROGRAMS)).toBeLessThan(OF_PROGRAMS.length * 0.6);
  });
});

describe('an estimate', () => {
  it('asks the large lists only where the short ones leave a doubt', async () => {
    const word = 'Constantinople1453';
    expect(await estimateSecret(word, [], { lists: 'short' })).toMatchObject({
      isAcceptable: false,
      isDoubtful: true,
    });
    expect(await estimateSecret(word)).toMatchObject({ isAcceptable: false, isDoubtful: false });
    const random = 'tugareliposanime';
    expect(await estimateSecret(random, [], { lists: 'short' })).toMatchObject({ isDoubtful: true });
    expect(await estimateSecret(random)).toEqual(await estimateSecret(random, [], { lists: 'large' }));
    expect(await estimateSecret('correct horse battery staple')).toMatchObject({
      isAcceptable: true,
      isDoubtful: false,
    });
    expect(await estimateSecret('Sommer2024')).toMatchObject({ isAcceptable: false, isDoubtful: false });
  });

  it('has lists that are made from those of the packages', () => {
    execFileSync(process.execPath, [join(__dirname, '../../common-words.mjs'), '--check']);
  });
});
