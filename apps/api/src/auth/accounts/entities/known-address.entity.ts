import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** An address counts as known for this number of days after the last session was opened from it. */
export const KNOWN_ADDRESS_DAYS = 30;

/**
 * An address from which an account has signed in. Wrong secrets sent from other addresses do not block
 * sign-in from a known address.
 */
@Entity('known_addresses')
@ForeignKey('accounts', ['account_id'], ['id'], { name: 'known_addresses_account_fkey', onDelete: 'CASCADE' })
@Index('known_addresses_expiry', ['last_login_at'])
export class KnownAddressEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  /** See `AddressPseudonyms`. */
  @PrimaryColumn('bytea')
  address: Buffer;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  last_login_at: string;
}
