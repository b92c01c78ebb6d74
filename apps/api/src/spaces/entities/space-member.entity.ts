import type { SpaceRole } from '@app/common';
import { Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** Somebody who may use a space. The row is the truth of it; `memberships` is a hint. */
@Entity('space_members')
@ForeignKey('spaces', ['account_id'], ['account_id'], {
  name: 'space_members_space_fkey',
  onDelete: 'CASCADE',
})
export class SpaceMemberEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  /** The account of the person. */
  @PrimaryColumn('uuid')
  member_id: string;

  @Column('text')
  role: SpaceRole;

  @Column('text')
  sharing_public: string;

  /** The key of the profile, sealed to this member. Null where the newest key was not given to it. */
  @Column('text', { nullable: true })
  wrap: string | null;

  /** Who sealed it. */
  @Column('uuid', { nullable: true })
  wrap_from: string | null;

  /** The version of the roster that came with it. */
  @Column('integer', { nullable: true })
  wrap_roster: number | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  joined_at: string;
}
