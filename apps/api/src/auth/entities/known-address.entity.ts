import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Where an account has signed in from: strangers elsewhere can't lock it out from there. */
@Entity('known_addresses')
@ForeignKey('accounts', ['account_id'], ['id'], { name: 'known_addresses_account_fkey', onDelete: 'CASCADE' })
@Index('known_addresses_expiry', ['last_login_at'])
export class KnownAddressEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  /** HMAC; see `RateLimits.tagOf`. */
  @PrimaryColumn('bytea')
  address: Buffer;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  last_login_at: string;
}
