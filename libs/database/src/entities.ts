import { Column, CreateDateColumn, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/**
 * What every table under an account begins with. Property names are column names: a row is an entity as it comes.
 *
 * Timestamps are RFC 3339 text (UTC, milliseconds): they are passed through, not computed with.
 */
export abstract class OwnedEntity {
  /** Not read: whoever asks for a row is its owner, and a long list would say so a thousand times. */
  @PrimaryColumn('uuid', { select: false })
  account_id: string;

  /** Unique within the account. */
  @PrimaryColumn('uuid')
  id: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: string;
}

/** An owned record that a client creates, perhaps twice on a bad network. */
export abstract class RepeatableEntity extends OwnedEntity {
  /** Digest of the Idempotency-Key that made the record; see `RequestKey`. */
  @Column('bytea', { nullable: true, select: false })
  idempotency_key: Buffer | null;

  @Column('bytea', { nullable: true, select: false })
  idempotency_body: Buffer | null;
}

/** An owned record that changes: `revision` is 1 on create and grows by one with each update. */
export abstract class RevisedEntity extends RepeatableEntity {
  @UpdateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at: string;

  @Column('integer', { default: 1 })
  revision: number;
}
