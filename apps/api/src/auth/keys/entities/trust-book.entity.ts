import { Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** What the devices of an account tell each other about whom and what they trust: one sealed text. */
@Entity('trust_books')
@ForeignKey('accounts', ['account_id'], ['id'], { name: 'trust_books_account_fkey', onDelete: 'CASCADE' })
export class TrustBookEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: string;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at: string;

  @Column('integer', { default: 1 })
  revision: number;

  /** Opaque: JSON source text. */
  @Column('text')
  encrypted_data: string;
}
