import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The way from an email to its account, and how a client derives its secret for that email. */
@Entity('logins')
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
