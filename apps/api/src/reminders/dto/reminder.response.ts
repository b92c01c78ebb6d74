import { ApiProperty } from '@nestjs/swagger';
import type { ReminderEntity, Repeat } from '../entities/reminder.entity';
import type { Nag } from './reminder.requests';

export class ReminderResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ format: 'uuid' })
  subscription_id: string;

  @ApiProperty({ format: 'uuid' })
  slot_id: string;

  @ApiProperty({ example: 'c2VhbGVk' })
  text: string;

  @ApiProperty({
    format: 'date-time',
    description: 'The occurrence that is sent next, or that has no answer yet.',
    example: '2026-11-20T08:00:00.000Z',
  })
  due_at: string;

  @ApiProperty({ example: 0 })
  delay_minutes: number;

  @ApiProperty({
    type: Object,
    nullable: true,
    additionalProperties: true,
    example: { time: '08:00', every_days: 1 },
  })
  repeat: Repeat | null;

  @ApiProperty({ example: 'Europe/Paris' })
  time_zone: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  ends_at: string | null;

  @ApiProperty({
    type: Object,
    nullable: true,
    additionalProperties: true,
    example: { minutes: 10, times: 3 },
  })
  nag: Nag | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the next message is due. null: there is none any more.',
    example: '2026-11-20T08:00:00.000Z',
  })
  next_at: string | null;
}

export function toReminderResponse(row: ReminderEntity): ReminderResponse {
  const { nag_minutes: minutes, nag_times: times } = row;
  return {
    id: row.id,
    subscription_id: row.subscription_id,
    slot_id: row.slot_id,
    text: row.text,
    due_at: row.due_at,
    delay_minutes: row.delay_minutes,
    repeat: row.repeat,
    time_zone: row.time_zone,
    ends_at: row.ends_at,
    nag: times === 0 ? null : { minutes, times },
    next_at: row.message_at,
  };
}
