import type { Species } from '@app/interactions';
import { NameListField } from './name-list.field';
import { SpeciesField } from './species.field';

export class CheckRequest {
  @NameListField({ description: 'Names of medicines, foods and drinks, as a person writes them.' })
  medications: string[];

  @SpeciesField()
  species?: Species;
}
