import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptionalField } from '@app/opaque';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import { MAX_TIMES_PER_DAY, readDoseSchedule } from '@app/common/adherence';

export class DoseScheduleShape {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_TIMES_PER_DAY, example: 2 })
  times_per_day: number;

  @ApiProperty({
    type: 'array',
    required: false,
    items: { oneOf: [{ type: 'integer', minimum: 0, maximum: 7 }, { type: 'string' }] },
    description: '0 to 7 (0 and 7 are Sunday) or English names; absent or empty means every day.',
    example: ['mon', 'wed', 'fri'],
  })
  days_of_week?: (number | string)[];
}

/** An optional `dose_schedule`; `null` means "no schedule". */
export function DoseScheduleField(): PropertyDecorator {
  return applyDecorators(
    IsOptionalField(),
    ValidateBy({
      name: 'doseSchedule',
      validator: {
        validate: (value) => value === null || typeof readDoseSchedule(value) === 'object',
        defaultMessage: (args?: ValidationArguments) =>
          `$property ${readDoseSchedule(args?.value) as string}`,
      },
    }),
    ApiProperty({
      required: false,
      nullable: true,
      type: DoseScheduleShape,
      description: 'Plaintext: the service needs it to count missed doses. `null` clears it.',
      example: { times_per_day: 2 },
    }),
  );
}
