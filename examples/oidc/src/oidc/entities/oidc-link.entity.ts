import { DistributedBy } from 'health-records-service/database';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** One person at the provider, who may sign in to one account. */
@Entity('oidc_links')
@DistributedBy('identity')
@ForeignKey('accounts', ['account_id'], ['id'], { name: 'oidc_links_account_fkey', onDelete: 'CASCADE' })
@Index('oidc_links_of_account', ['account_id', 'created_at'])
export class OidcLinkEntity {
  /** SHA-256 of issuer and subject, base64url: the table names nobody. */
  @PrimaryColumn('text')
  identity: string;

  @Column('uuid')
  account_id: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: string;
}
