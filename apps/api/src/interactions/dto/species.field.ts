import { EnumField } from '@app/http';

/** For whom the medicines are. */
export function SpeciesField(): PropertyDecorator {
  return EnumField({
    optional: true,
    values: ['human', 'dog', 'cat'],
    description: 'Default `human`.',
    example: 'human',
  });
}
