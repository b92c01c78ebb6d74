/** Sizes in bytes of UTF-8, as the contract sets them. */
export const MAX_BODY_BYTES = 1024 * 1024;
export const MAX_BLOB_BYTES = 256 * 1024;
export const MAX_KEY_BYTES = 4 * 1024;
/** How deep objects and arrays may nest, blobs included. */
export const MAX_DEPTH = 64;
