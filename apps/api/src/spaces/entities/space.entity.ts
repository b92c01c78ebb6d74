import { Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** One shared profile. Its account has no login; this row tells it apart. */
@Entity('spaces')
@ForeignKey('accounts', ['account_id'], ['id'], { name: 'spaces_account_fkey', onDelete: 'CASCADE' })
export class SpaceEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @Column('uuid')
  profile_id: string;

  /** That of the newest roster. */
  @Column('integer')
  roster_version: number;

  /** The member among whose spaces it counts. */
  @Column('uuid')
  keeper_id: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: string;
}
