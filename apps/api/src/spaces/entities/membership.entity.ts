import { CreateDateColumn, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A hint where an account has to ask for its spaces. */
@Entity('memberships')
@ForeignKey('accounts', ['account_id'], ['id'], { name: 'memberships_account_fkey', onDelete: 'CASCADE' })
export class MembershipEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  space_id: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: string;
}
