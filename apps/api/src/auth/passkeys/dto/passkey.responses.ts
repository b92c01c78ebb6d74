import { ApiProperty, PickType } from '@nestjs/swagger';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { AuthenticationResponse } from '../../sessions/dto/authentication.response';
import type { PasskeyEntity } from '../entities/passkey.entity';

class TicketResponse {
  @ApiProperty({
    description: 'For the next request, within five minutes. It works once.',
    example: 'eyJhbGciOi…',
  })
  ticket: string;
}

export class NewPasskeyOptionsResponse extends TicketResponse {
  @ApiProperty({
    type: Object,
    additionalProperties: true,
    description:
      'For `navigator.credentials.create`, as `PublicKeyCredentialCreationOptionsJSON` of WebAuthn.',
  })
  options: PublicKeyCredentialCreationOptionsJSON;
}

export class PasskeyLoginOptionsResponse extends TicketResponse {
  @ApiProperty({
    type: Object,
    additionalProperties: true,
    description: 'For `navigator.credentials.get`, as `PublicKeyCredentialRequestOptionsJSON` of WebAuthn.',
  })
  options: PublicKeyCredentialRequestOptionsJSON;
}

export class PasskeyResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ description: 'base64url.', example: 'uS1p3rXk0cJb2m8bq1y4wg' })
  credential_id: string;

  @ApiProperty({ example: "Ana's phone" })
  label: string;

  @ApiProperty({ type: [String], example: ['internal', 'hybrid'] })
  transports: string[];

  @ApiProperty({ description: 'Whether other devices of the person have it, too: it is synchronised.' })
  backed_up: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'null: it signs in, and unlocks nothing.' })
  wrapped_dek: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'AAECAwQFBgcICQoL' })
  wrapped_dek_iv: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Which account key is wrapped.' })
  account_key_id: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:00:00.000Z' })
  created_at: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The last sign-in.',
    example: '2026-11-20T08:00:00.000Z',
  })
  last_used_at: string | null;
}

class UsedPasskeyResponse extends PickType(PasskeyResponse, [
  'id',
  'wrapped_dek',
  'wrapped_dek_iv',
  'account_key_id',
]) {}

/** The answer of a login, with the wrap of the passkey that signed in. */
export class PasskeyLoginResponse extends AuthenticationResponse {
  @ApiProperty({ type: UsedPasskeyResponse })
  passkey: UsedPasskeyResponse;
}

export function toPasskeyResponse(row: PasskeyEntity): PasskeyResponse {
  return {
    id: row.id,
    credential_id: row.credential_id.toString('base64url'),
    label: row.label,
    transports: row.transports.split(',').filter(Boolean),
    backed_up: row.backed_up,
    wrapped_dek: row.wrapped_dek,
    wrapped_dek_iv: row.wrapped_dek_iv,
    account_key_id: row.account_key_id,
    created_at: row.created_at,
    last_used_at: row.last_used_at,
  };
}

export function toUsedPasskey({ id, ...row }: PasskeyEntity): UsedPasskeyResponse {
  const { wrapped_dek, wrapped_dek_iv, account_key_id } = row;
  return { id, wrapped_dek, wrapped_dek_iv, account_key_id };
}
