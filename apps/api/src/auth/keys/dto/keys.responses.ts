import { ApiProperty } from '@nestjs/swagger';
import { ApiOpaque, OpaqueJson } from '@app/opaque';
import type { TrustBookEntity } from '../entities/trust-book.entity';

export class TrustBookResponse {
  @ApiProperty({ type: 'integer', example: 3 })
  revision: number;

  /** `""` where there is none. */
  @ApiOpaque()
  encrypted_data: OpaqueJson;

  @ApiProperty({ type: String, nullable: true, format: 'date-time', example: '2026-11-20T08:00:00.000Z' })
  updated_at: string | null;
}

export const NO_TRUST_BOOK: TrustBookResponse = {
  revision: 0,
  encrypted_data: new OpaqueJson('""'),
  updated_at: null,
};

export class ResealResponse {
  @ApiProperty({
    type: [String],
    format: 'uuid',
    description: 'What is sealed anew. Others have changed meanwhile, or are gone.',
  })
  resealed: string[];
}

export function toTrustBookResponse(
  row: Pick<TrustBookEntity, 'revision' | 'encrypted_data' | 'updated_at'>,
): TrustBookResponse {
  const { revision, encrypted_data, updated_at } = row;
  return { revision, encrypted_data: new OpaqueJson(encrypted_data), updated_at };
}
