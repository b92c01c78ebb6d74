import { ListQuery, UuidField } from '@app/http';

export class ListMedicationsQuery extends ListQuery {
  @UuidField({ optional: true, description: 'Only those of this profile.' })
  profile_id?: string;
}
