import { ClientBytes, ProfileRecordEntity, RecordKind } from '@app/database';
import { Column, Entity, ForeignKey, Index } from 'typeorm';

@RecordKind('medication')
@Entity('medications')
@ForeignKey('profiles', ['account_id', 'profile_id'], ['account_id', 'id'], {
  name: 'medications_profile_fkey',
  onDelete: 'CASCADE',
})
@Index('medications_by_age', ['account_id', 'created_at', 'id'])
@Index('medications_of_profile', ['account_id', 'profile_id', 'created_at', 'id'])
@Index('medications_idempotency', ['account_id', 'idempotency_key'], {
  unique: true,
  where: 'idempotency_key IS NOT NULL',
})
export class MedicationEntity extends ProfileRecordEntity {
  @ClientBytes({ isLabel: true })
  @Column('text')
  route: string;

  /** JSON text of a `DoseSchedule`, as the client sent it. */
  @ClientBytes({ isLabel: true })
  @Column('text', { nullable: true })
  dose_schedule: string | null;

  /** When the schedule was last set, changed or cleared. Null if the medication never had a schedule. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  schedule_changed_at: string | null;
}
