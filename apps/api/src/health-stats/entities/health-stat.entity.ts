import { ProfileRecordEntity, RecordKind } from '@app/database';
import { Column, Entity, ForeignKey, Index } from 'typeorm';

@RecordKind('health_stat')
@Entity('health_stats')
@ForeignKey('profiles', ['account_id', 'profile_id'], ['account_id', 'id'], {
  name: 'health_stats_profile_fkey',
  onDelete: 'CASCADE',
})
@Index('health_stats_by_time', ['account_id', 'recorded_at', 'id'])
@Index('health_stats_of_profile', ['account_id', 'profile_id', 'recorded_at', 'id'])
@Index('health_stats_idempotency', ['account_id', 'idempotency_key'], {
  unique: true,
  where: 'idempotency_key IS NOT NULL',
})
export class HealthStatEntity extends ProfileRecordEntity {
  /** When it was measured. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  recorded_at: string;
}
