import { TextField } from '@app/http';
import type { Species } from '@app/interactions';
import { MAX_MEDICINE_NAME_LENGTH, NameListField } from './name-list.field';
import { SpeciesField } from './species.field';

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
