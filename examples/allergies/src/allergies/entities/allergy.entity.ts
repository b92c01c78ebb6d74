import { ClientBytes, ProfileRecordEntity, RecordKind } from 'health-records-service/database';
import { Column, Entity, ForeignKey, Index } from 'typeorm';

@RecordKind('allergy')
@Entity('allergies')
@ForeignKey('profiles', ['account_id', 'profile_id'], ['account_id', 'id'], {
  name: 'allergies_profile_fkey',
  onDelete: 'CASCADE',
})
@Index('allergies_by_age', ['account_id', 'created_at', 'id'])
@Index('allergies_of_profile', ['account_id', 'profile_id', 'created_at', 'id'])
@Index('allergies_idempotency', ['account_id', 'idempotency_key'], {
  unique: true,
  where: 'idempotency_key IS NOT NULL',
})
export class AllergyEntity extends ProfileRecordEntity {
  @ClientBytes({ isLabel: true })
  @Column('text')
  status: string;
}
