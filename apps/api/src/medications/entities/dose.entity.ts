import { ClientBytes, RecordKind, RepeatableEntity } from '@app/database';
import { Column, Entity, ForeignKey, Index } from 'typeorm';

/** One dose that was taken or skipped. */
@RecordKind('dose')
@Entity('doses')
@ForeignKey('medications', ['account_id', 'medication_id'], ['account_id', 'id'], {
  name: 'doses_medication_fkey',
  onDelete: 'CASCADE',
})
@Index('doses_of_medication', ['account_id', 'medication_id', 'logged_at', 'id', 'taken'])
@Index('doses_idempotency', ['account_id', 'idempotency_key'], {
  unique: true,
  where: 'idempotency_key IS NOT NULL',
})
export class DoseEntity extends RepeatableEntity {
  @Column('uuid')
  medication_id: string;

  @Column('boolean')
  taken: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  logged_at: string;

  /** The client’s own seal over the dose. */
  @ClientBytes({ isLabel: true })
  @Column('text', { nullable: true })
  proof: string | null;
}
