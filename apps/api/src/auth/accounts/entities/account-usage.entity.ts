import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** How much an account stores. Triggers update the counts, and every create reads them. */
@Entity('account_usage')
@ForeignKey('accounts', ['account_id'], ['id'], { name: 'account_usage_account_fkey', onDelete: 'CASCADE' })
export class AccountUsageEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @Column('bigint')
  records: number;

  @Column('bigint')
  bytes: number;

  /**
   * The newest position of the account's feed. The lock of this row gives positions the same order as the
   * commits.
   */
  @Column('bigint', { default: 0 })
  last_change: number;

  /** The newest position of a deletion that was removed from the feed. */
  @Column('bigint', { default: 0 })
  forgotten_change: number;
}

/** What counts against the quotas. `age`: of the account, in seconds. */
export type AccountUsage = Pick<AccountUsageEntity, 'records' | 'bytes'> & { age: number };
