/**
 * The largest request body, in bytes of UTF-8. Source: the contract. This is also the source of the other
 * limits.
 */
export const MAX_BODY_BYTES = 1024 * 1024;
/** The largest encrypted blob, in bytes of UTF-8. */
export const MAX_BLOB_BYTES = 256 * 1024;
/** The largest wrapped key or IV, in bytes of UTF-8. */
export const MAX_KEY_BYTES = 4 * 1024;
/** The maximum nesting of objects and arrays, blobs included. */
export const MAX_DEPTH = 64;
