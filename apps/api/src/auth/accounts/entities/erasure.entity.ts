import { SharedTable } from '@app/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The id of an erased account. A trigger writes it with every erasure. A restore of an older backup erases
 * the account again, so the row outlives the account.
 */
@SharedTable()
@Entity('erasures')
export class ErasureEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  erased_at: string;
}
