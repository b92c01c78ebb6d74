import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A device token is valid for this number of days after its last use. */
export const DEVICE_TOKEN_DAYS = 180;

/**
 * A device that the account knows. Wrong secrets sent from elsewhere do not block sign-in and recovery on it.
 */
@Entity('device_tokens')
@ForeignKey('accounts', ['account_id'], ['id'], { name: 'device_tokens_account_fkey', onDelete: 'CASCADE' })
@Index('device_tokens_expiry', ['last_used_at'])
export class DeviceTokenEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  /** SHA-256 of the token. The token itself is not stored. */
  @PrimaryColumn('bytea')
  token_hash: Buffer;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  last_used_at: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: string;

  /** The last session that the device opened. `null` for a token of an older version that was not used since. */
  @Column('uuid', { nullable: true })
  session_id: string | null;

  /** The label of that session; plaintext. */
  @Column('text', { nullable: true })
  device_label: string | null;
}
