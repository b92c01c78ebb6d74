import { NameListField } from './name-list.field';

export class ResolveRequest {
  @NameListField({ description: 'Names as a person writes them.' })
  medications: string[];
}
