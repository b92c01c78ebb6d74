import { Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A list of the members, signed by one of them. The service reads its version alone. */
@Entity('space_rosters')
@ForeignKey('spaces', ['account_id'], ['account_id'], {
  name: 'space_rosters_space_fkey',
  onDelete: 'CASCADE',
})
export class SpaceRosterEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('integer')
  version: number;

  @Column('text')
  roster: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: string;
}
