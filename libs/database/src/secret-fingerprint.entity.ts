import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What tells a replica with another secret from the rest; the secret cannot be read from it. */
@Entity('secret_fingerprints')
export class SecretFingerprintEntity {
  @PrimaryColumn('text')
  name: string;

  @Column('text')
  fingerprint: string;
}
