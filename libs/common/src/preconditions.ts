/**
 * The condition of an `If-Match` header: any current record (`*`), or one of these entity tags, without
 * quotes: `3`, or `3-9f1c2ab04d7e` with the epoch.
 *
 * Entity tags that this service never creates are well-formed but match nothing, so the list omits them.
 */
export type RevisionCondition = '*' | string[];

/** The condition as a parameter of a statement: the allowed tags, or `null` for any. */
export function allowedTags(condition: RevisionCondition | undefined): string[] | null {
  return condition === undefined || condition === '*' ? null : condition;
}

/** Stored digests of an `Idempotency-Key` and of its request. */
export interface IdempotencyKeyDigest {
  /** 32 bytes: digest of method, full path and key. The account is a separate column. */
  key: Buffer;
  /** 32 bytes: digest of the request body. */
  body: Buffer;
}
