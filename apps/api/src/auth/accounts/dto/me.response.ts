import { ApiProperty } from '@nestjs/swagger';
import { RevisedResponse } from '@app/http';
import type { AccountEntity } from '../entities/account.entity';

export class MeResponse extends RevisedResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ format: 'email', example: 'ana@example.org' })
  email: string;

  @ApiProperty()
  email_verified: boolean;

  @ApiProperty({ description: 'Whether a recovery phrase is set up.' })
  recovery_enabled: boolean;

  @ApiProperty({ type: 'integer', description: 'Grows with every change of the password.' })
  token_version: number;

  @ApiProperty({ example: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ' })
  wrapped_dek: string;

  @ApiProperty({ example: 'AAECAwQFBgcICQoL' })
  wrapped_dek_iv: string;
}

export function toMeResponse(row: AccountEntity): MeResponse {
  return {
    id: row.id,
    email: row.email,
    email_verified: row.email_verified,
    recovery_enabled: row.recovery_enabled,
    token_version: row.token_version,
    wrapped_dek: row.wrapped_dek,
    wrapped_dek_iv: row.wrapped_dek_iv,
    created_at: row.created_at,
    updated_at: row.updated_at,
    revision: row.revision,
  };
}
