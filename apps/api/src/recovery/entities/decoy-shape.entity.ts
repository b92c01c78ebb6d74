import { SharedTable } from '@app/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The shape that decoys of recovery-info have for ever. There is one row at most; without it, decoys have the
 * shape of the reference client.
 */
@Entity('decoy_shapes')
@SharedTable()
export class DecoyShapeEntity {
  /** Always `recovery`. */
  @PrimaryColumn('text')
  name: string;

  @Column('text')
  wrap_encoding: string;

  @Column('integer')
  wrap_bytes: number;

  @Column('text')
  iv_encoding: string;

  @Column('integer')
  iv_bytes: number;
}
