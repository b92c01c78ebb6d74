import { ListQuery, TextField, UuidField } from '@app/http';

export class ListAppointmentsQuery extends ListQuery {
  @TextField({
    optional: true,
    min: 1,
    max: 64,
    printable: true,
    description: 'Only those with exactly this status.',
  })
  status?: string;

  @UuidField({ optional: true, description: 'Only those of this profile.' })
  profile_id?: string;
}
