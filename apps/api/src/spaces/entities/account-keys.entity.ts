import { Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The identity of an account towards others: two public keys, and their seeds, wrapped under the account's key. */
@Entity('account_keys')
@ForeignKey('accounts', ['account_id'], ['id'], { name: 'account_keys_account_fkey', onDelete: 'CASCADE' })
export class AccountKeysEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @Column('text')
  sharing_public: string;

  @Column('text')
  signing_public: string;

  @Column('text')
  wrapped: string;

  @Column('text')
  wrapped_iv: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: string;
}
