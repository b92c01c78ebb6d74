import { ApiProperty } from '@nestjs/swagger';
import type { PushSubscriptionEntity } from '../entities/push-subscription.entity';

export class PushKeyResponse {
  @ApiProperty({
    description: 'For `applicationServerKey` of the browser, base64url.',
    example: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  })
  public_key: string;
}

export class PushSubscriptionResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ example: "Ana's phone" })
  label: string;

  @ApiProperty({ description: 'Whether it is the browser of this session.' })
  current: boolean;

  @ApiProperty({ description: 'The host of the push service.', example: 'updates.push.services.mozilla.com' })
  service: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:00:00.000Z' })
  created_at: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the push service last took a message.',
    example: '2026-11-20T08:00:00.000Z',
  })
  last_sent_at: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Why the last message did not leave: `delayed` (it is tried again), `refused` or `missed` (too late). A client must take other values.',
    example: 'delayed',
  })
  failure: string | null;
}

export class PushTestResponse {
  @ApiProperty({
    description:
      '`sent`: the push service took the message. `gone`: the browser takes no more, subscribe again. `delayed`: the push ' +
      'service is away. `refused`: it takes no message of ours. A client must take other values.',
    example: 'sent',
  })
  result: string;
}

/** @param sessionId of the caller. */
export function toPushSubscriptionResponse(
  row: PushSubscriptionEntity,
  sessionId: string,
): PushSubscriptionResponse {
  return {
    id: row.id,
    label: row.label,
    current: row.session_id === sessionId,
    service: new URL(row.endpoint).host,
    created_at: row.created_at,
    last_sent_at: row.last_sent_at,
    failure: row.failure,
  };
}
