/** The parts of this library that a module outside this repository may use. Everything else may change. */
export { MAX_BLOB_BYTES, MAX_BODY_BYTES, MAX_KEY_BYTES, MAX_LARGE_BODY_BYTES } from './limits';
export { ApiOpaque, IsOptionalField, OpaqueBlob, OpaqueString } from './opaque-fields';
export { OpaqueJson } from './opaque-json';
