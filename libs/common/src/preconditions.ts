/**
 * What an `If-Match` header demands: any current record (`*`), or one of these revisions.
 *
 * Entity tags that this service never makes are well-formed but match nothing, and so are not in the list.
 */
export type RevisionCondition = '*' | number[];

/** The condition as a parameter of a statement: the revisions that it allows, or `null` for any. */
export function allowedRevisions(condition: RevisionCondition | undefined): number[] | null {
  return condition === undefined || condition === '*' ? null : condition;
}

/** An `Idempotency-Key` as it is kept: nothing of the key or the body can be read from it. */
export interface RequestKey {
  /** 32 bytes: digest of method, full path and key. The account is a column beside it. */
  key: Buffer;
  /** 32 bytes: digest of the request body. */
  body: Buffer;
}
