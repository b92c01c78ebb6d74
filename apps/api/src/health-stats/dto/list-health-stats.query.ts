import { ListQuery, TimestampField, UuidField } from '@app/http';

export class ListHealthStatsQuery extends ListQuery {
  @UuidField({ optional: true, description: 'Only those of this profile.' })
  profile_id?: string;

  @TimestampField({ optional: true, description: 'Only those recorded at or after this time.' })
  recorded_from?: string;

  @TimestampField({ optional: true, description: 'Only those recorded at or before this time.' })
  recorded_to?: string;
}
