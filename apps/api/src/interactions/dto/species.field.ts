import { EnumField } from '@app/http';

/** The species that takes the medicines. */
export function SpeciesField(): PropertyDecorator {
  return EnumField({
    optional: true,
    values: ['human', 'dog', 'cat'],
    description: 'Default `human`.',
    example: 'human',
  });
}
