/**
 * Derives keys of passwords at their full cost, as browsers do. The object of WebCrypto outlives a spec file: a spec of
 * another project in the same worker may have made it cheap (`cheap-derivation.js`).
 */
delete globalThis.crypto.subtle.deriveBits;
