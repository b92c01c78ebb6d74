import { ClientBytes, ProfileRecordEntity, RecordKind } from '@app/database';
import { Column, Entity, ForeignKey, Index } from 'typeorm';

@RecordKind('appointment')
@Entity('appointments')
@ForeignKey('profiles', ['account_id', 'profile_id'], ['account_id', 'id'], {
  name: 'appointments_profile_fkey',
  onDelete: 'CASCADE',
})
@Index('appointments_by_age', ['account_id', 'created_at', 'id'])
@Index('appointments_of_profile', ['account_id', 'profile_id', 'created_at', 'id'])
@Index('appointments_by_status', ['account_id', 'status', 'created_at', 'id'])
@Index('appointments_idempotency', ['account_id', 'idempotency_key'], {
  unique: true,
  where: 'idempotency_key IS NOT NULL',
})
export class AppointmentEntity extends ProfileRecordEntity {
  @ClientBytes({ isLabel: true })
  @Column('text')
  status: string;
}
