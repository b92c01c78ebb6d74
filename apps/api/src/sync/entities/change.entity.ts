import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** The newest change of one record. Triggers write this table; the service reads it. */
@Entity('changes')
@ForeignKey('accounts', ['account_id'], ['id'], { name: 'changes_account_fkey', onDelete: 'CASCADE' })
@Index('changes_in_order', ['account_id', 'position'], { unique: true })
@Index('changes_expiry', ['deleted_at'], { where: 'deleted_at IS NOT NULL' })
export class ChangeEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('text')
  kind: string;

  @PrimaryColumn('uuid')
  record_id: string;

  /** The place in the account's feed, from 1. */
  @Column('bigint')
  position: number;

  /** Bytes of the record that count against the quota. They limit the size of a page. */
  @Column('integer')
  bytes: number;

  /** Null while the record exists. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deleted_at: string | null;
}
