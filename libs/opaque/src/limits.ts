/**
 * The largest request body, in bytes of UTF-8. Source: the contract. This is also the source of the other
 * limits.
 */
export const MAX_BODY_BYTES = 1024 * 1024;
/** The largest body of a route that says so, in bytes of UTF-8: all profiles of an account at once. */
export const MAX_LARGE_BODY_BYTES = 4 * MAX_BODY_BYTES;
/** The largest encrypted blob, in bytes of UTF-8. */
export const MAX_BLOB_BYTES = 256 * 1024;
/** The largest wrapped key or IV, in bytes of UTF-8. */
export const MAX_KEY_BYTES = 4 * 1024;
/** The maximum nesting of objects and arrays, blobs included. */
export const MAX_DEPTH = 64;
/**
 * The maximum number of members of all objects in a body, blobs included. Parsing a member costs a hundred
 * times as much as a byte of text. A request has about ten members, and an encrypted value has a few.
 */
export const MAX_MEMBERS = 10_000;
/**
 * The maximum number of values outside of blobs: members of objects and items of lists. class-transformer copies
 * each one, and class-validator takes 5 µs for each object of a nested class. No other request is answered
 * meanwhile.
 */
export const MAX_VALUES = 2_000;
/** The longest name of a member outside of blobs, in characters of its source text. */
export const MAX_NAME_LENGTH = 256;
/**
 * The longest string outside of blobs, in characters of its source text. The longest allowed one is a wrapped
 * key. With an escape for each character it is six times as long.
 */
export const MAX_STRING_LENGTH = 64 * 1024;
