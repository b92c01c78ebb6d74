import { DistributedBy } from '@app/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Maps an email to its account, with the key derivation that the client uses for that email. */
@Entity('logins')
@DistributedBy('email')
export class LoginEntity {
  @PrimaryColumn('text')
  email: string;

  @Column('uuid')
  account_id: string;

  @Column('text')
  kdf: string;

  @Column('integer')
  kdf_iterations: number;

  @Column('text')
  kdf_salt: string;
}
