import { Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The app whose codes an account takes as a second step. There is a row once it has shown a right code. */
@Entity('totp_factors')
@ForeignKey('accounts', ['account_id'], ['id'], { name: 'totp_factors_account_fkey', onDelete: 'CASCADE' })
export class TotpFactorEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: string;

  /** See `SealedSecrets`. */
  @Column('bytea')
  secret: Buffer;

  /** The step of the newest code that was used. It and older ones work no more. */
  @Column('bigint')
  last_step: number;
}
