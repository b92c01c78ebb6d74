/** The operator's signature of a base. */
export interface KnowledgeSignature {
  /** RFC 3339, in UTC. A later signature of the same version replaces an earlier one. */
  signed_at: string;
  /** Ed25519 over `signedText`: base64 of 64 bytes. */
  value: string;
}

/**
 * The text that the operator signs (as UTF-8): a label, the time, and the base without its signature as compact JSON. The
 * members keep their order, so parsing and writing the JSON again gives the same text.
 * Source: RFC 8032 (Ed25519); ECMA-262 (JSON.stringify).
 */
export function signedText(base: object, signedAt: string): string {
  const unsigned: { signature?: unknown } = { ...base };
  delete unsigned.signature;
  return `health-records knowledge base 1\n${signedAt}\n${JSON.stringify(unsigned)}`;
}
