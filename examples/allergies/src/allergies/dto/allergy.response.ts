import { ApiProperty } from '@nestjs/swagger';
import { RevisedResponse } from 'health-records-service/http';
import { ApiOpaque, OpaqueJson } from 'health-records-service/opaque';
import type { AllergyEntity } from '../entities/allergy.entity';

export class AllergyResponse extends RevisedResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ format: 'uuid' })
  profile_id: string;

  @ApiProperty({ example: 'active' })
  status: string;

  @ApiOpaque()
  encrypted_data: OpaqueJson;
}

export function toAllergyResponse(row: AllergyEntity): AllergyResponse {
  const { id, profile_id, status, created_at, updated_at, revision } = row;
  const encrypted_data = new OpaqueJson(row.encrypted_data);
  return { id, profile_id, status, encrypted_data, created_at, updated_at, revision };
}
