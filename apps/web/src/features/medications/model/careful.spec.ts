import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isCareful } from './careful';

interface Ingredient {
  inn: string;
  tags?: Record<string, unknown>;
}

/** The classes of the knowledge base that are asked about. */
const CLASSES = new Set([
  ...['insulin', 'insulin-bolus', 'insulin-basal', 'opioid', 'opioid-partial'],
  ...['anticoagulant', 'heparin', 'heparin-hyperkalaemic', 'doac', 'vitamin-k-antagonist'],
]);

const FOLDER = join(__dirname, '../../../../../../libs/interactions/knowledge/ingredients');
const all = readdirSync(FOLDER).flatMap(
  (file) => (parse(readFileSync(join(FOLDER, file), 'utf8')) as { ingredients: Ingredient[] }).ingredients,
);
const isOfClass = ({ inn, tags = {} }: Ingredient) =>
  inn === 'methotrexate' || Object.keys(tags).some((tag) => CLASSES.has(tag));

describe('medicines of which a wrong dose does harm', () => {
  it('are all insulins, anticoagulants and opioids of the knowledge base, and methotrexate', () => {
    const wanted = all.filter(isOfClass);
    expect(wanted.length).toBeGreaterThan(70);
    expect(wanted.filter(({ inn }) => !isCareful([inn])).map(({ inn }) => inn)).toEqual([]);
  });

  it('are no others: a question too many is answered unread', () => {
    expect(all.filter((each) => !isOfClass(each) && isCareful([each.inn])).map(({ inn }) => inn)).toEqual([]);
  });

  it.each([
    'Insulina',
    'Methotrexat',
    'Metotrexato',
    'Acenocumarol',
    'Morfina',
    'Kodein',
    'Metadona',
    'Petidina',
  ])('in other languages: %s', (name) => expect(isCareful([name])).toBe(true));

  it('by the substance that a brand was read as', () => {
    expect(isCareful(['Xarelto', 'rivaroxaban'])).toBe(true);
  });
});
