const MAX_CHARACTERS = 254;

/**
 * The form in which an email identifies an account, or `undefined` where the text is none.
 *
 * Trimmed, NFKC, lower case; at most 254 characters; one `@` with text on both sides; no control characters. Applying it
 * twice changes nothing.
 */
export function normalizeEmail(text: string): string | undefined {
  // Lower-casing can take a text out of NFKC, and NFKC can bring blanks to its ends.
  const email = text.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
  const [local, domain, ...rest] = email.split('@');
  if (!local?.trim() || !domain?.trim() || rest.length > 0) return undefined;
  return [...email].length > MAX_CHARACTERS || /\p{Cc}/u.test(email) ? undefined : email;
}
