import { ClientBytes, RecordKind, RevisedEntity } from '@app/database';
import { Column, Entity, ForeignKey, Index } from 'typeorm';

/** A subject of care: a person or a pet. */
@RecordKind('profile')
@Entity('profiles')
@ForeignKey('accounts', ['account_id'], ['id'], { name: 'profiles_account_fkey', onDelete: 'CASCADE' })
@Index('profiles_by_age', ['account_id', 'created_at', 'id'])
@Index('profiles_idempotency', ['account_id', 'idempotency_key'], {
  unique: true,
  where: 'idempotency_key IS NOT NULL',
})
export class ProfileEntity extends RevisedEntity {
  @ClientBytes({ isLabel: true })
  @Column('text')
  kind: string;

  @ClientBytes({ isLabel: true })
  @Column('text')
  relationship: string;

  @ClientBytes()
  @Column('text')
  wrapped_profile_dek: string;

  @ClientBytes()
  @Column('text')
  wrapped_profile_dek_iv: string;

  /** Opaque: JSON source text. */
  @ClientBytes()
  @Column('text')
  name_data: string;

  @ClientBytes()
  @Column('text')
  name_iv: string;
}
