import { OwnedEntity } from '@app/database';
import { Column, Entity, ForeignKey } from 'typeorm';

/** A passkey of an account: it signs in and, with a wrap, opens the account key on the person's device. */
@Entity('passkeys')
@ForeignKey('accounts', ['account_id'], ['id'], { name: 'passkeys_account_fkey', onDelete: 'CASCADE' })
export class PasskeyEntity extends OwnedEntity {
  /** As the authenticator has made it. Unique within the account: whoever adds one holds the lock of the account. */
  @Column('bytea')
  credential_id: Buffer;

  /** COSE key. Source: RFC 9052 section 7. */
  @Column('bytea')
  public_key: Buffer;

  /** How often the authenticator has signed; 0 where it does not count. */
  @Column('bigint')
  counter: number;

  /** Ways to reach the authenticator, joined by commas: `internal,hybrid`. */
  @Column('text')
  transports: string;

  /** Whether the authenticator said at the last use that other devices have the passkey, too. */
  @Column('boolean')
  backed_up: boolean;

  /** Plaintext. */
  @Column('text')
  label: string;

  /** The account key under the key that this passkey gives by PRF. `null`: it signs in and unlocks nothing. */
  @Column('text', { nullable: true })
  wrapped_dek: string | null;

  @Column('text', { nullable: true })
  wrapped_dek_iv: string | null;

  /** Which account key it is; made by the client. */
  @Column('text', { nullable: true })
  account_key_id: string | null;

  /** When the last used ticket was issued. It and older ones work no more. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  ticket_at: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  last_used_at: string | null;
}
