import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A session that ended a moment ago. `EndedSessions` refuses its access tokens until they have expired. */
@Entity('ended_sessions')
@ForeignKey('accounts', ['account_id'], ['id'], { name: 'ended_sessions_account_fkey', onDelete: 'CASCADE' })
@Index('ended_sessions_expiry', ['ended_at'])
export class EndedSessionEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  ended_at: string;
}
