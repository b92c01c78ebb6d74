/**
 * The answer to a create. `replayed`: an earlier request with the same Idempotency-Key created the record.
 */
export class Created<T> {
  constructor(
    readonly record: T,
    readonly replayed: boolean,
  ) {}

  /** The same of another form of the record. */
  map<U>(toRecord: (record: T) => U): Created<U> {
    return new Created(toRecord(this.record), this.replayed);
  }
}
