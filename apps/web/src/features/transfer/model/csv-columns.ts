import { readUnit } from '@app/client/documents';

/** What a column of a table is. */
export type Column =
  | 'date'
  | 'time'
  | 'measure'
  | 'value'
  | 'unit'
  | 'note'
  | { metric: string; component: string; unit?: string };

const WORDS: Record<'date' | 'time' | 'measure' | 'value' | 'unit' | 'note', readonly string[]> = {
  date: [
    'date',
    'datetime',
    'date time',
    'timestamp',
    'recorded at',
    'day',
    'datum',
    'tag',
    'zeitpunkt',
    'fecha',
    'fecha y hora',
  ],
  time: ['time', 'uhrzeit', 'zeit', 'hora'],
  measure: [
    'measure',
    'measurement',
    'metric',
    'type',
    'kind',
    'messung',
    'messwert',
    'art',
    'medida',
    'medicion',
    'tipo',
  ],
  value: ['value', 'reading', 'wert', 'valor'],
  unit: ['unit', 'units', 'einheit', 'unidad'],
  note: [
    'note',
    'notes',
    'comment',
    'comments',
    'notiz',
    'notizen',
    'bemerkung',
    'kommentar',
    'nota',
    'notas',
    'comentario',
  ],
};

/** Words for a measure, or for one of its numbers. */
const MEASURE_WORDS: [metric: string, component: string, words: readonly string[]][] = [
  ['weight', 'value', ['weight', 'body weight', 'gewicht', 'korpergewicht', 'peso']],
  [
    'blood_pressure',
    'systolic',
    ['systolic', 'sys', 'systole', 'systolisch', 'sistolica', 'systolic blood pressure', 'tension sistolica'],
  ],
  [
    'blood_pressure',
    'diastolic',
    [
      'diastolic',
      'dia',
      'diastole',
      'diastolisch',
      'diastolica',
      'diastolic blood pressure',
      'tension diastolica',
    ],
  ],
  ['pulse', 'value', ['pulse', 'heart rate', 'puls', 'herzfrequenz', 'pulso', 'frecuencia cardiaca']],
  [
    'temperature',
    'value',
    ['temperature', 'temp', 'body temperature', 'temperatur', 'fieber', 'temperatura', 'fiebre'],
  ],
  [
    'glucose',
    'value',
    ['glucose', 'blood glucose', 'blood sugar', 'glukose', 'blutzucker', 'glucosa', 'azucar'],
  ],
  [
    'oxygen_saturation',
    'value',
    ['oxygen', 'oxygen saturation', 'spo2', 'sauerstoff', 'sauerstoffsattigung', 'oxigeno', 'saturacion'],
  ],
  [
    'respiratory_rate',
    'value',
    ['respiratory rate', 'breathing rate', 'breaths', 'atemfrequenz', 'frecuencia respiratoria'],
  ],
  ['height', 'value', ['height', 'body height', 'grosse', 'korpergrosse', 'altura', 'estatura', 'talla']],
];
const WHOLE_PRESSURE = [
  'blood pressure',
  'bp',
  'blutdruck',
  'presion arterial',
  'tension arterial',
  'tension',
];

/** Lower case, no accents, one blank between words. */
const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[_.\s-]+/g, ' ')
    .trim();

/** `Weight (kg)` → the word and the unit. */
const WITH_UNIT = /^(.*?)\s*[([]([^)\]]+)[)\]]\s*$/;

/** What each column of a header row is; `undefined` for one that is not understood. A second column of one kind is not read. */
export function columnsOf(headers: readonly string[]): { header: string; column: Column | undefined }[] {
  const taken = new Set<string>();
  return headers.map((header) => {
    const column = columnOf(header.trim());
    const key = JSON.stringify(typeof column === 'object' ? [column.metric, column.component] : column);
    if (column === undefined || taken.has(key)) return { header: header.trim(), column: undefined };
    taken.add(key);
    return { header: header.trim(), column };
  });
}

function columnOf(header: string): Column | undefined {
  const [, word = header, unitText = ''] = WITH_UNIT.exec(header) ?? [];
  const name = plain(word);
  for (const [column, words] of Object.entries(WORDS))
    if (words.includes(name)) return column as keyof typeof WORDS;
  const known = MEASURE_WORDS.find(([, , words]) => words.includes(name));
  if (!known) return undefined;
  const unit = readUnit(unitText)?.code;
  return { metric: known[0], component: known[1], ...(unit !== undefined && { unit }) };
}

/** The metric that a word means, in any of the languages; `undefined` for an own measure. */
export function metricOfWord(word: string): string | undefined {
  const name = plain(word);
  if (WHOLE_PRESSURE.includes(name)) return 'blood_pressure';
  const known = MEASURE_WORDS.find(([metric, component, words]) => {
    return component === 'value' && (words.includes(name) || plain(metric) === name);
  });
  return known?.[0];
}
