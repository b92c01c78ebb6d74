import { ApiProperty } from '@nestjs/swagger';
import { EchoedFields, ListQuery, RevisedResponse, TextField, UuidField } from '@app/http';
import { ApiOpaque, OpaqueBlob, OpaqueJson } from '@app/opaque';
import type { AllergyEntity } from './allergy.entity';

export class CreateAllergyRequest {
  @UuidField({ description: 'One of your profiles.' })
  profile_id: string;

  @TextField({ min: 1, max: 64, example: 'active' })
  status: string;

  @OpaqueBlob({ description: 'To what.' })
  encrypted_data: OpaqueJson;

  @OpaqueBlob({ optional: true, description: 'How it shows.' })
  reaction_data?: OpaqueJson;
}

export class UpdateAllergyRequest extends EchoedFields {
  @OpaqueBlob({ optional: true })
  reaction_data?: OpaqueJson;
}

export class ListAllergiesQuery extends ListQuery {
  @UuidField({ optional: true, description: 'Only those of this profile.' })
  profile_id?: string;
}

export class AllergyResponse extends RevisedResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ format: 'uuid' })
  profile_id: string;

  @ApiProperty({ example: 'active' })
  status: string;

  @ApiOpaque()
  encrypted_data: OpaqueJson;

  @ApiOpaque()
  reaction_data: OpaqueJson | null;
}

export function toAllergyResponse(row: AllergyEntity): AllergyResponse {
  return {
    id: row.id,
    profile_id: row.profile_id,
    status: row.status,
    encrypted_data: new OpaqueJson(row.encrypted_data),
    reaction_data: row.reaction_data === null ? null : new OpaqueJson(row.reaction_data),
    created_at: row.created_at,
    updated_at: row.updated_at,
    revision: row.revision,
  };
}
