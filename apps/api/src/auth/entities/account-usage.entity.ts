import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** What an account stores; kept by triggers, read by every create. */
@Entity('account_usage')
@ForeignKey('accounts', ['account_id'], ['id'], { name: 'account_usage_account_fkey', onDelete: 'CASCADE' })
export class AccountUsageEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @Column('bigint')
  records: number;

  @Column('bigint')
  bytes: number;
}
