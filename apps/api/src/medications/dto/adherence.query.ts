import { ApiProperty } from '@nestjs/swagger';
import { IsOptionalField } from '@app/opaque';
import { ValidateBy } from 'class-validator';
import { isTimeZone } from '../adherence.rule';

export class AdherenceQuery {
  @IsOptionalField()
  @ValidateBy({
    name: 'timeZone',
    validator: {
      validate: isTimeZone,
      defaultMessage: () => '$property must be an IANA time zone such as Europe/Paris',
    },
  })
  @ApiProperty({
    required: false,
    description: 'IANA time zone that decides what "today" is.',
    example: 'Europe/Paris',
    default: 'UTC',
  })
  tz?: string;
}
