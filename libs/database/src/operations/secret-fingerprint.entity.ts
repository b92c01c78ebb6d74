import { Column, Entity, PrimaryColumn } from 'typeorm';
import { SharedTable } from '../schema/table-decorators';

/** Detects a replica with a different secret. See `secretFingerprintOf`. */
@Entity('secret_fingerprints')
@SharedTable()
export class SecretFingerprintEntity {
  @PrimaryColumn('text')
  name: string;

  @Column('text')
  fingerprint: string;
}
