import { CheckedField, EnumField, type FieldOptions, TextField } from '@app/http';
import type { Species } from '@app/interactions';

const MAX_NAMES = 100;
export const MAX_MEDICINE_NAME_LENGTH = 200;

/** A list of medication names as a person writes them: 0 to 100, each 1 to 200 characters. */
export function NameListField(options: FieldOptions): PropertyDecorator {
  const rule = `must be a list of at most ${MAX_NAMES} names of 1 to ${MAX_MEDICINE_NAME_LENGTH} characters each`;
  const isList = (value: unknown) => Array.isArray(value) && value.length <= MAX_NAMES && value.every(isName);
  return CheckedField(options, 'nameList', rule, isList, {
    type: [String],
    maxItems: MAX_NAMES,
    items: { type: 'string', minLength: 1, maxLength: MAX_MEDICINE_NAME_LENGTH },
    example: ['warfarin', 'ibuprofen 400 mg'],
  });
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && [...value].length <= MAX_MEDICINE_NAME_LENGTH;
}

/** The species that takes the medicines. */
export function SpeciesField(): PropertyDecorator {
  return EnumField({
    optional: true,
    values: ['human', 'dog', 'cat'],
    description: 'Default `human`.',
    example: 'human',
  });
}

export class CheckRequest {
  @NameListField({ description: 'Names of medicines, foods and drinks, as a person writes them.' })
  medications: string[];

  @SpeciesField()
  species?: Species;
}

export class CheckNewRequest {
  @TextField({
    min: 1,
    max: MAX_MEDICINE_NAME_LENGTH,
    description: 'The new medicine.',
    example: 'ibuprofen',
  })
  name: string;

  @TextField({
    min: 0,
    max: MAX_MEDICINE_NAME_LENGTH,
    description: 'As on the label; may be empty.',
    example: '400 mg three times a day',
  })
  dosage: string;

  @NameListField({
    optional: true,
    description:
      'What is taken already. Without it the answer names all known partners, and the client matches them itself.',
  })
  medications?: string[];

  @SpeciesField()
  species?: Species;
}

export class CheckNewQuery {
  @TextField({
    optional: true,
    min: 1,
    max: 100,
    printable: true,
    description:
      'Only without `medications`. `classes` (default): one result for each kind, severity and action, partners by class, less ' +
      'than 64 kB. `full`: one result for each rule, each partner with all its names and brands. A `rule_id` or one of the ' +
      '`related_rules`: the results of only these rules, in full.',
    example: 'full',
  })
  detail?: string;
}

export class ResolveRequest {
  @NameListField({ description: 'Names as a person writes them.' })
  medications: string[];
}

export class KnowledgeBaseQuery {
  @TextField({
    optional: true,
    min: 1,
    max: 35,
    printable: true,
    description:
      'The language of the sentences: `en` (default), `de` or `es`, also with a region (`de-AT`). English for any other.',
    example: 'de',
  })
  language?: string;
}
