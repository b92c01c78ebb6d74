import { ApiProperty } from '@nestjs/swagger';
import { type AdherenceFacts, adherenceOf, PERIOD_DAYS } from '@app/common/adherence';

class SinceStartResponse {
  @ApiProperty({
    format: 'date',
    description: 'The first date that counts: not before the medication or its schedule began.',
  })
  start: string;

  @ApiProperty({ type: 'integer', nullable: true })
  scheduled_doses: number | null;

  @ApiProperty({ type: 'integer' })
  taken_doses: number;

  @ApiProperty({ type: 'number', nullable: true, description: 'Percent, one decimal.' })
  adherence_rate: number | null;
}

export class AdherenceResponse {
  @ApiProperty({ format: 'uuid' })
  medication_id: string;

  @ApiProperty({ type: 'integer', example: PERIOD_DAYS })
  period_days: number;

  @ApiProperty({ format: 'date', description: 'First of the 30 local dates.', example: '2026-10-22' })
  period_start: string;

  @ApiProperty({ format: 'date', description: 'Last of the 30 local dates: today.', example: '2026-11-20' })
  period_end: string;

  @ApiProperty({ example: 'UTC' })
  timezone: string;

  @ApiProperty({ type: 'integer', example: 2 })
  taken_doses: number;

  @ApiProperty({ type: 'integer', example: 1 })
  skipped_doses: number;

  @ApiProperty({ type: 'integer', example: 3 })
  total_logged: number;

  @ApiProperty({ type: 'integer', nullable: true, description: '`null` without a schedule.' })
  scheduled_doses: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: '`null` without a schedule.' })
  missed_doses: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: '`null` without a schedule.' })
  extra_doses: number | null;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description:
      'Percent, one decimal: of the scheduled doses, or, without a schedule, of those logged. `null`: nothing to divide by.',
    example: 66.7,
  })
  adherence_rate: number | null;

  @ApiProperty({ type: SinceStartResponse })
  since_start: SinceStartResponse;
}

export function toAdherenceResponse(medicationId: string, facts: AdherenceFacts): AdherenceResponse {
  const { dates, timezone } = facts.period;
  return {
    medication_id: medicationId,
    period_days: PERIOD_DAYS,
    period_start: dates[0],
    period_end: dates[dates.length - 1],
    timezone,
    ...adherenceOf(facts),
  };
}
