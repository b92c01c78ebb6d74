import { SharedTable } from '@app/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A code with which people may register while `SIGNUPS` is `invite`. */
@SharedTable()
@Entity('invites')
export class InviteEntity {
  /** SHA-256. The code is random, so a fast hash is enough. */
  @PrimaryColumn('bytea')
  code_hash: Buffer;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: string;

  @Column({ type: 'timestamptz', precision: 3 })
  expires_at: string;

  @Column('integer')
  uses_left: number;
}
