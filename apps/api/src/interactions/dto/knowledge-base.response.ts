import { LANGUAGES, URL_KINDS } from '@app/interactions';
import { ApiProperty } from '@nestjs/swagger';
import { Entries, POSITIONS, Statements, TEXTS } from './knowledge-entries.field';

/** Ingredients, by their positions and by those of their tags. */
const SELECTED = { type: 'object', additionalProperties: true } as const;

/** The whole knowledge base, as the service and the client on the device read it: see `KnowledgeBase`. */
export class KnowledgeBaseResponse {
  @ApiProperty({
    type: 'integer',
    enum: [1],
    description: 'Of this structure. Refuse a format that you do not know.',
  })
  format: number;

  @ApiProperty({ enum: [...LANGUAGES], description: 'Of `texts` and `phrases`.' })
  language: string;

  @ApiProperty({ example: '1.1.0' })
  version: string;

  @ApiProperty({ format: 'date', example: '2026-11-22' })
  released: string;

  @Entries('What is new in each version, the newest first.', ['version', 'date', 'changes'], {
    version: { type: 'string' },
    date: { type: 'string', format: 'date' },
    changes: TEXTS,
  })
  changelog: object[];

  @Entries('What the statements rest on.', ['id', 'title', 'publisher', 'year'], {
    id: { type: 'string' },
    title: { type: 'string' },
    publisher: { type: 'string' },
    year: { type: 'integer' },
    url: { type: 'string', format: 'uri' },
    url_is: { type: 'string', enum: [...URL_KINDS] },
    drugUrl: { type: 'string', description: 'The search for the label of `{drug}`.' },
    drugName: { type: 'string', enum: ['inn'] },
    sections: { type: 'object', additionalProperties: { type: 'string' } },
  })
  sources: object[];

  @Entries('Classes and traits of ingredients.', ['id', 'name', 'definition'], {
    id: { type: 'string' },
    name: { type: 'string' },
    definition: { type: 'string' },
    implies: { ...POSITIONS, description: 'Positions in `tags`.' },
  })
  tags: object[];

  @Entries('Active substances with the names under which they are found.', ['inn'], {
    inn: { type: 'string', description: 'International nonproprietary name.' },
    usan: { type: 'string', description: 'Name in the United States, if it differs.' },
    tags: { ...POSITIONS, description: 'Positions in `tags`.' },
  })
  ingredients: object[];

  @Entries('Products with several ingredients.', ['name', 'ingredients'], {
    name: { type: 'string' },
    ingredients: { ...POSITIONS, description: 'Positions in `ingredients`.' },
  })
  combinations: object[];

  @ApiProperty({
    ...TEXTS,
    description: 'The texts of the statements. `{a}` and `{b}` stand for the two names.',
  })
  texts: string[];

  @ApiProperty({
    type: 'object',
    selfRequired: false,
    additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
    description: 'The texts of the engine, by language and by id.',
  })
  phrases?: Record<string, Record<string, string>>;

  @Statements('About pairs. With the severity `none`: checked, and it does not matter.')
  rules: object[];

  @Statements('About medicines that contain the same, or do the same.')
  duplicates: object[];

  @Statements('The highest amounts in a day or a week.')
  doses: object[];

  @Entries('What a child may take, by weight and age.', [], {}, { required: false })
  childDoses?: object[];

  @Entries('Doses that are summed over several substances.', [], {}, { required: false })
  sums?: object[];

  @Statements('About substances that harm an animal.')
  species: object[];

  @Statements('About effects that add up over three or more medicines.', { required: false })
  burdens?: object[];

  @Statements('About medicines that some people should not take.', { required: false })
  cautions?: object[];

  @Entries(
    'Illnesses and allergies of a person, with the names by which they are typed.',
    ['id', 'kind', 'n'],
    {
      id: { type: 'string' },
      kind: { type: 'string', enum: ['condition', 'allergy'] },
      n: { type: 'object', additionalProperties: TEXTS, description: 'Names, by language.' },
    },
    { required: false },
  )
  facts?: object[];

  @Entries(
    'Ingredients that were assessed for facts of a person and need no caution.',
    ['facts', 'a'],
    { facts: TEXTS, a: SELECTED },
    { required: false },
  )
  fine?: object[];

  @Entries(
    'Ingredients that act only locally by some routes.',
    ['routes', 'a'],
    { routes: TEXTS, a: SELECTED },
    { required: false },
  )
  local?: object[];

  @Entries('Medicines for emergencies, which nobody is told to wait with.', [], {}, { required: false })
  rescue?: object[];

  @ApiProperty({
    type: 'array',
    items: { ...TEXTS, minItems: 2, maxItems: 2 },
    description: 'Names that look alike.',
  })
  lookalikes: string[][];

  @Entries('Brands of registers.', ['i', 'n'], { i: POSITIONS, n: { type: 'string' } }, { required: false })
  brands?: object[];

  @Entries('Names that mean different things in different countries.', [], {}, { required: false })
  meanings?: object[];

  @Entries('What one piece of some products may contain.', [], {}, { required: false })
  strengths?: object[];

  @ApiProperty({
    type: 'object',
    selfRequired: false,
    additionalProperties: true,
    description: 'Only in a base that an operator has signed.',
  })
  signature?: object;
}
