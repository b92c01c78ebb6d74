import { OwnedEntity } from '@app/database';
import { Column, Entity, ForeignKey, Index } from 'typeorm';

/** A token that was exchanged a moment ago. */
export interface RetiredToken {
  /** SHA-256, hex. */
  hash: string;
  at: string;
}

/** One signed-in device: a line of refresh tokens, of which one is live. */
@Entity('sessions')
@ForeignKey('accounts', ['account_id'], ['id'], { name: 'sessions_account_fkey', onDelete: 'CASCADE' })
@Index('sessions_expiry', ['last_used_at'])
@Index('sessions_line_expiry', ['created_at'])
export class SessionEntity extends OwnedEntity {
  /** SHA-256 of the live refresh token: the token itself is nowhere. */
  @Column('bytea', { select: false })
  token_hash: Buffer;

  /** When its token was stored: at login and at each refresh. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  last_used_at: string;

  /** What the client calls the device; plaintext. */
  @Column('text', { nullable: true })
  device_label: string | null;

  /** Tokens of this line that were exchanged within the last seconds: their reuse is a race, not a theft. */
  @Column('jsonb', { default: () => "'[]'", select: false })
  retired: RetiredToken[];
}
