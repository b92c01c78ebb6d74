import { SharedTable } from '../schema/table-decorators';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * An epoch of the database. A restore, or a failover that may have lost commits, begins a new one. The newest
 * epoch counts.
 */
@SharedTable({ onEveryNode: true })
@Entity('epochs')
export class EpochEntity {
  /** Random hexadecimal digits. */
  @PrimaryColumn('text')
  id: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  started_at: string;
}
