import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from '@valibot/to-json-schema';
import Ajv from 'ajv';
import { safeParse } from 'valibot';
import { ADA } from '../testing/example-profiles';
import { jsonSchemas, rowsOf, SCHEMAS_FOLDER, tablesOf } from '../testing/json-schemas';
import { DOCUMENTS } from './schemas/kinds';

const README = join(SCHEMAS_FOLDER, '../README.md');
const TABLES = /(?<=<!-- members: begin -->\n)[^]*?(?=\n<!-- members: end -->)/;
const fileOf = (kind: string) => join(SCHEMAS_FOLDER, `${kind}.json`);
/** Without what the formatter adds. */
const plain = (text: string) => text.replace(/ +|-{3,}/g, (run) => (run[0] === '-' ? '---' : ' ')).trim();

let made: Map<string, JsonSchema>;
beforeAll(() => {
  made = jsonSchemas();
  if (!process.env.UPDATE_SCHEMAS) return;
  for (const [kind, schema] of made) writeFileSync(fileOf(kind), `${JSON.stringify(schema, null, 2)}\n`);
  const readme = readFileSync(README, 'utf8');
  writeFileSync(
    README,
    readme.replace(TABLES, () => `\n${tablesOf(made)}\n`),
  );
});

it('has a file of each kind, which is what its schema says: `npm run schemas` writes them', () => {
  const files = readdirSync(SCHEMAS_FOLDER).sort();
  expect(files).toEqual([...made.keys()].map((kind) => `${kind}.json`).sort());
  for (const [kind, schema] of made)
    expect(JSON.parse(readFileSync(fileOf(kind), 'utf8'))).toEqual(JSON.parse(JSON.stringify(schema)));
});

it('is told member by member in README.md, with the meaning of each', () => {
  const [tables] = TABLES.exec(readFileSync(README, 'utf8')) ?? [];
  expect(plain(tables!)).toBe(plain(tablesOf(made)));
  const rows = [...made.values()].flatMap((schema) => rowsOf(schema));
  expect(rows.length).toBeGreaterThan(80);
  expect(rows.filter(({ meaning }) => meaning === '').map(({ member }) => member)).toEqual([]);
});

const DETAILS = {
  profile: [ADA.details, { name: '' }],
  medication: ADA.medications.map(({ details }) => details),
  appointment: ADA.appointments.map(({ details }) => details),
  'health-stat': ADA.healthStats.map(({ details }) => details),
};

describe.each(Object.entries(DETAILS))('the JSON Schema of a %s', (kind, examples) => {
  const { schema } = DOCUMENTS[kind as keyof typeof DETAILS];
  const verdicts = (details: object) => {
    // The formats need another library.
    const ajv = new Ajv({ validateFormats: false });
    return [ajv.validate(made.get(kind)!, details), safeParse(schema, details).success];
  };

  it('takes what the client takes, with members that it does not name', () => {
    expect(examples.length).toBeGreaterThan(0);
    for (const details of examples) {
      const isRight = details.startsAt !== 'in spring';
      expect(verdicts({ ...details, ofAnother: 7 })).toEqual([isRight, isRight]);
    }
  });

  it('refuses each member of another type, as the client does', () => {
    const members = Object.keys(made.get(kind)!.properties!);
    for (const name of members) {
      const wrong = (made.get(kind)!.properties![name] as JsonSchema).type === 'string' ? 7 : 'x';
      expect([name, ...verdicts({ ...examples[0], [name]: wrong })]).toEqual([name, false, false]);
    }
  });
});
