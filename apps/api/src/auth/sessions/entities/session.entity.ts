import { OwnedEntity } from '@app/database';
import { Column, Entity, ForeignKey, Index } from 'typeorm';

/** The hash of a refresh token that was exchanged recently. */
export interface RetiredToken {
  /** SHA-256, hexadecimal. */
  hash: string;
  at: string;
  /** When its successor was issued, in seconds since the epoch. */
  iat: number;
  /** Pseudonyms of the network and the user agent of the exchange, hexadecimal; see `AddressPseudonyms`. */
  origin: string;
  agent: string;
}

/** One signed-in device, with its current refresh token. */
@Entity('sessions')
@ForeignKey('accounts', ['account_id'], ['id'], { name: 'sessions_account_fkey', onDelete: 'CASCADE' })
@Index('sessions_expiry', ['last_used_at'])
@Index('sessions_line_expiry', ['created_at'])
export class SessionEntity extends OwnedEntity {
  /** SHA-256 of the current refresh token. The token itself is not stored. */
  @Column('bytea', { select: false })
  token_hash: Buffer;

  /** When the current token was stored. A login and each refresh store a token. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  last_used_at: string;

  /** The device's name, chosen by the client; plaintext. */
  @Column('text', { nullable: true })
  device_label: string | null;

  /**
   * Tokens of this session that were exchanged in the last seconds. The reuse of such a token by the same
   * client does not count as theft.
   */
  @Column('jsonb', { default: () => "'[]'", select: false })
  retired: RetiredToken[];
}
