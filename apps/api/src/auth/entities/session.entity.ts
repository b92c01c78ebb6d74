import { Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** One signed-in device, with its one live refresh token. */
@Entity('sessions')
@ForeignKey('accounts', ['account_id'], ['id'], { name: 'sessions_account_fkey', onDelete: 'CASCADE' })
export class SessionEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  id: string;

  /** SHA-256 of the refresh token: the token itself is nowhere. */
  @Column('bytea')
  token_hash: Buffer;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: string;

  /** When its token was stored: at login and at each refresh. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  last_used_at: string;
}
