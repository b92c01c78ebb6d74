/**
 * A JSON value that only its owner can read, as the exact text in which it was sent.
 *
 * It is never parsed: `1.50`, `1e400`, the order of keys and an escaped NUL come back to the client as they went in.
 */
export class OpaqueJson {
  constructor(
    /** Valid JSON source text. */
    readonly text: string,
  ) {}
}
