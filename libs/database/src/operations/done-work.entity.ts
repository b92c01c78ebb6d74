import { Column, Entity, PrimaryColumn } from 'typeorm';
import { SharedTable } from '../schema/table-decorators';

/** When work of an operator was last done well. A restore does not bring it back: the copy has no backup yet. */
@Entity('done_work')
@SharedTable()
export class DoneWorkEntity {
  /** One of `WORK`. */
  @PrimaryColumn('text')
  name: string;

  @Column({ type: 'timestamptz', precision: 3 })
  done_at: string;
}
