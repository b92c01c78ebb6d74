import { Column, CreateDateColumn, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/**
 * The first columns of every table under an account. Property names are column names, so a row needs no
 * conversion to an entity.
 *
 * Timestamps are RFC 3339 text (UTC, milliseconds), because the service only passes them on.
 */
export abstract class OwnedEntity {
  /** Not selected: the caller is always the owner, and a long list would repeat the id in every row. */
  @PrimaryColumn('uuid', { select: false })
  account_id: string;

  /** Unique within the account. */
  @PrimaryColumn('uuid')
  id: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at: string;
}

/** An owned record that a client creates. A client on a bad network may send the create twice. */
export abstract class RepeatableEntity extends OwnedEntity {
  /** Digest of the Idempotency-Key of the create; see `IdempotencyKeyDigest`. */
  @Column('bytea', { nullable: true, select: false })
  idempotency_key: Buffer | null;

  @Column('bytea', { nullable: true, select: false })
  idempotency_body: Buffer | null;

  /** The member of a space who wrote the newest state. Null outside of spaces, and for what was written before sharing. */
  @Column('uuid', { nullable: true })
  author_id: string | null;
}

/** An owned record that can change. `revision` is 1 on create, and each update adds one. */
export abstract class RevisedEntity extends RepeatableEntity {
  @UpdateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at: string;

  @Column('integer', { default: 1 })
  revision: number;
}
