import { TimeZoneField } from '@app/http';

export class AdherenceQuery {
  @TimeZoneField({
    optional: true,
    description: 'IANA time zone that decides what "today" is; UTC by default.',
  })
  tz?: string;
}
