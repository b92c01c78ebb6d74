import { BooleanField, TextField, TimestampField, UuidField } from '@app/http';

export class LogDoseRequest {
  @UuidField({ optional: true, description: 'Made by the client; by default the service makes one.' })
  id?: string;

  @BooleanField({ description: '`true` for a taken dose, `false` for a skipped one.', example: true })
  taken: boolean;

  @TimestampField({
    optional: true,
    description: 'When it was taken or skipped. Default now; not in the future.',
  })
  loggedAt?: string;

  @TextField({
    optional: true,
    nullable: true,
    min: 1,
    max: 256,
    description: 'The client’s own seal over the dose. Opaque: stored and returned as sent.',
    example: 'cHJvb2Y=',
  })
  proof?: string | null;
}
