import { BooleanField, TimestampField, UuidField } from '@app/http';
import { ProofField } from './proof.field';

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

  @ProofField()
  proof?: string | null;
}
