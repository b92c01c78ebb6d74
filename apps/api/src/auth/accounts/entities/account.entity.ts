import { DistributedBy } from '@app/database';
import { Column, CreateDateColumn, Entity, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** An account of a person who signs in. Every other record belongs to an account. */
@Entity('accounts')
@DistributedBy('id')
@Index('accounts_erasures', ['erase_at'], { where: 'erase_at IS NOT NULL' })
export class AccountEntity {
  @PrimaryColumn('uuid')
  id: string;

  /** The same email as in `logins`. The table `logins` makes it unique. */
  @Column('text')
  email: string;

  @Column('boolean', { default: false })
  email_verified: boolean;

  /** Hash of the code in the link by which the owner confirms the address. */
  @Column('text', { nullable: true })
  verification_token: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  verification_expires: string | null;

  /** When it will be erased, unless its owner signs in before. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  erase_at: string | null;

  /** Hash of the auth secret; see `PasswordHasher`. */
  @Column('text')
  password_hash: string;

  @Column('text')
  wrapped_dek: string;

  @Column('text')
  wrapped_dek_iv: string;

  @Column('text')
  recovery_wrapped_dek: string;

  @Column('text')
  recovery_wrapped_dek_iv: string;

  /** Hash of the recovery proof. The proof is a secret that the client derives from the phrase. */
  @Column('text', { nullable: true })
  recovery_phrase_hash: string | null;

  @Column('boolean', { default: false })
  recovery_enabled: boolean;

  /** Whether a sign-in by password asks for a passkey or a code, too. */
  @Column('boolean', { default: false })
  second_step: boolean;

  /** Raised by every change of the secret. A token with another version is invalid. */
  @Column('integer', { default: 0 })
  token_version: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: string;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at: string;

  @Column('integer', { default: 1 })
  revision: number;

  /** Since when an operator lets nobody sign in. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  suspended_at: string | null;

  /** Since when an erasure waits. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  held_at: string | null;

  /** Who holds the erasure, and why: text of the operator. */
  @Column('text', { nullable: true })
  held_by: string | null;

  @Column('text', { nullable: true })
  held_why: string | null;

  /** When the owner asked for the erasure that waits. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  erasure_asked_at: string | null;
}
