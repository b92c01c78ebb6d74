/**
 * A JSON value that only its owner can read, as the exact text that the client sent.
 *
 * It is never parsed: `1.50`, `1e400`, the order of keys and an escaped NUL return to the client unchanged.
 */
export class OpaqueJson {
  constructor(
    /** Valid JSON source text. */
    readonly text: string,
  ) {}
}
