import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** A person who signs in. Everything else hangs on it. */
@Entity('accounts')
export class AccountEntity {
  @PrimaryColumn('uuid')
  id: string;

  /** As in `logins`, which holds its uniqueness. */
  @Column('text')
  email: string;

  @Column('boolean', { default: false })
  email_verified: boolean;

  @Column('text', { nullable: true })
  verification_token: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  verification_expires: string | null;

  /** Of the auth secret; see `PasswordHasher`. */
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

  /** Of the recovery proof, a secret derived from the phrase. */
  @Column('text', { nullable: true })
  recovery_phrase_hash: string | null;

  @Column('boolean', { default: false })
  recovery_enabled: boolean;

  /** Grows with every change of the secret; a token with another one is dead. */
  @Column('integer', { default: 0 })
  token_version: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: string;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at: string;

  @Column('integer', { default: 1 })
  revision: number;
}
