import type { SpaceRole } from '@app/common';
import { Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A link that lets one account in, once its inviter confirms. An expired one counts as gone. */
@Entity('space_invitations')
@ForeignKey('spaces', ['account_id'], ['account_id'], {
  name: 'space_invitations_space_fkey',
  onDelete: 'CASCADE',
})
export class SpaceInvitationEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  role: SpaceRole;

  /** SHA-256 of the proof, which follows from the secret in the link. */
  @Column('bytea')
  proof_hash: Buffer;

  /** Sealed under the secret in the link: for whom, and from whom. */
  @Column('text')
  offer: string;

  @Column('uuid')
  created_by: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: string;

  @Column({ type: 'timestamptz', precision: 3 })
  expires_at: string;

  @Column('uuid', { nullable: true })
  accepted_by: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  accepted_at: string | null;

  /** Sealed under the secret in the link: the keys of whoever accepted. */
  @Column('text', { nullable: true })
  acceptance: string | null;
}
