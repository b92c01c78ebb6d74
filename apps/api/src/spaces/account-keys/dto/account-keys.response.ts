import { ApiProperty } from '@nestjs/swagger';
import type { AccountKeysEntity } from '../../entities/account-keys.entity';

export class AccountKeysResponse {
  @ApiProperty({ description: 'As it was sent.', example: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ' })
  sharing_public: string;

  @ApiProperty({ description: 'As it was sent.', example: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ' })
  signing_public: string;

  @ApiProperty({ description: 'As it was sent.', example: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ' })
  wrapped: string;

  @ApiProperty({ description: 'As it was sent.', example: 'AAECAwQFBgcICQoL' })
  wrapped_iv: string;
}

export type AccountKeys = Pick<
  AccountKeysEntity,
  'sharing_public' | 'signing_public' | 'wrapped' | 'wrapped_iv'
>;

export function toAccountKeysResponse(row: AccountKeys): AccountKeysResponse {
  const { sharing_public, signing_public, wrapped, wrapped_iv } = row;
  return { sharing_public, signing_public, wrapped, wrapped_iv };
}
