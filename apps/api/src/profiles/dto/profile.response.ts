import { ApiProperty } from '@nestjs/swagger';
import type { Caller } from '@app/common';
import { RevisedResponse } from '@app/http';
import { ApiOpaque, OpaqueJson } from '@app/opaque';
import type { ProfileEntity } from '../entities/profile.entity';
import { PROFILE_KINDS } from './create-profile.request';

export class ProfileResponse extends RevisedResponse {
  @ApiProperty({ format: 'uuid' })
  profile_id: string;

  @ApiProperty({ format: 'uuid' })
  owner_account_id: string;

  @ApiProperty({ enum: PROFILE_KINDS })
  kind: string;

  @ApiProperty({ example: 'self' })
  relationship: string;

  @ApiProperty({ description: 'Opaque; returned unchanged.', example: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ' })
  wrapped_profile_dek: string;

  @ApiProperty({ description: 'Opaque; returned unchanged.', example: 'AAECAwQFBgcICQoL' })
  wrapped_profile_dek_iv: string;

  @ApiOpaque()
  name_data: OpaqueJson;

  @ApiProperty({ description: 'Opaque; returned unchanged.', example: 'AAECAwQFBgcICQoL' })
  name_iv: string;
}

export function toProfileResponse(caller: Caller, row: ProfileEntity): ProfileResponse {
  return {
    profile_id: row.id,
    owner_account_id: caller.accountId,
    kind: row.kind,
    relationship: row.relationship,
    wrapped_profile_dek: row.wrapped_profile_dek,
    wrapped_profile_dek_iv: row.wrapped_profile_dek_iv,
    name_data: new OpaqueJson(row.name_data),
    name_iv: row.name_iv,
    created_at: row.created_at,
    updated_at: row.updated_at,
    revision: row.revision,
  };
}
