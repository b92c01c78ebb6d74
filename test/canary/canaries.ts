import { generateMnemonic, mnemonicToEntropy } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { Secret } from '../support/traces';

/** What is typed on the device and must not be found anywhere, each unmistakable. */
export const HIDDEN = {
  password: 'Kanarienvogel singt um Mitternacht',
  nextPassword: 'Zaunkönig brütet hinter der Scheune',
  recoveredPassword: 'Pirol pfeift im Kirschgarten',
  replacedPassword: 'Wiedehopf wohnt in der Weide',
  wrongPassword: 'Dohle klaut die Silberlöffel',
  filePassword: 'Rotkehlchen badet im Regenfass',
  otherPassword: 'Stieglitz turnt auf der Distel',
  phrase: generateMnemonic(wordlist),
  replacedPhrase: generateMnemonic(wordlist),
  wrongPhrase: generateMnemonic(wordlist),
  mother: 'Walburga Zeisigmann',
  daughter: 'Leonore Zeisigmann',
  dog: 'Hektor vom Zeisighof',
  stranger: 'Balthasar Goldammer',
  birthDate: '1979-03-31T04:05:06',
  anticoagulant: 'Phenprocoumon',
  painkiller: 'Metamizole',
  unknownMedicine: 'Zeisigtropfen forte',
  strength: '437 mg magensaftresistent',
  dosage: '4711 mg seventeen times a fortnight',
  instructions: 'mit lauwarmem Holundertee',
  prescriber: 'Dr. Seidenschwanz',
  medicationNote: 'schmeckt nach Bittermandel',
  appointment: 'Kniespiegelung bei Dr. Grasmücke',
  startsAt: '2026-12-17T07:43:00+01:00',
  location: 'Nachtigallenstieg 38b',
  appointmentNote: 'nüchtern und mit Befund erscheinen',
  metric: 'morgendlicher_nachtschweiss',
  reading: 8372.619405,
  unit: '{Tropfen/Nacht}',
  statNote: 'nach drei Etagen Treppe',
  idempotencyKey: 'idempotency-of-the-goldfinch',
  address: '203.0.113.217',
  userAgent: 'GoldammerBrowser/17.3',
  cookie: 'nest=goldammer-cookie-nest',
  referer: 'https://seidenschwanz.example/befunde/2026',
  headerValue: 'Seidenschwanz-in-a-header',
  pathPart: 'grasmuecke-in-the-path',
  queryValue: 'grasmuecke-in-the-query',
  rawRequest: 'grasmuecke-outside-of-http',
  tooLarge: 'grasmuecke-too-large ',
};

const DATABASE_FILES = ['the data files', 'the write-ahead log'];
// PostgreSQL writes no values into its log, unless it is told to as it is here.
const DATABASE = ["PostgreSQL's log", 'table pg_catalog.pg_statistic', ...DATABASE_FILES];

/** What lies in plain by the contract, and the only places where it may be found; in the first of them it must be. */
export const VISIBLE = {
  email: {
    value: 'walburga.zeisigmann@kanarien.example',
    places: ['table public.accounts', 'table public.logins', ...DATABASE],
  },
  'email before it was changed': { value: 'w.zeisigmann@alte-post.example', places: DATABASE },
  'email of a deleted account': { value: 'l.zeisigmann@fort.example', places: DATABASE },
  'email that nobody has': { value: 'niemand@leerer-kaefig.example', places: ["PostgreSQL's log"] },
  'label of a device': {
    value: 'Walburgas Taschenrechner',
    places: ['table public.sessions', 'table public.passkeys', ...DATABASE],
  },
  'relationship of a profile': {
    value: 'Stieftochter zweiten Grades',
    places: ['table public.profiles', ...DATABASE],
  },
  'route of a medication': {
    value: 'through the left nostril',
    places: ['table public.medications', ...DATABASE],
  },
  'schedule of a medication': {
    value: '{"times_per_day":23,"days_of_week":["sunday"',
    places: ['table public.medications', ...DATABASE],
  },
  'status of an appointment': {
    value: 'postponed by the canary',
    places: ['table public.appointments', ...DATABASE],
  },
  // Named to the client itself, so that it learns which of its fields the service does not know.
  'name of an unknown field': { value: 'field_of_the_canary', places: ['the error bodies'] },
  // Sent without encryption, in a statement that the database refuses once it has begun to write.
  'blob of a statement that failed': {
    value: 'blob of the statement that fails',
    places: ["PostgreSQL's log", ...DATABASE_FILES],
  },
} as const;

export type VisibleName = keyof typeof VISIBLE;

/** All that is known before the day, and the phrases also as entropy and in runs of three words: a stray pair is no run. */
export function knownSecrets(): Secret[] {
  const visible = Object.entries(VISIBLE).map(([what, { value }]) => ({ what, value }));
  const hidden = Object.entries(HIDDEN).map(([what, value]) => ({ what, value: String(value) }));
  const phrases = [HIDDEN.phrase, HIDDEN.replacedPhrase, HIDDEN.wrongPhrase].flatMap((phrase) => {
    const words = phrase.split(' ');
    const runs = words.slice(2).map((word, at) => `${words[at]} ${words[at + 1]} ${word}`);
    return [mnemonicToEntropy(phrase, wordlist), ...runs];
  });
  return [...visible, ...hidden, ...phrases.map((value, at) => ({ what: `part ${at} of a phrase`, value }))];
}
