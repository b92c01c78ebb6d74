const MAX_CHARACTERS = 254;

/**
 * The form in which an email identifies an account, or `undefined` if the text is not an email.
 *
 * Trimmed, NFKC, lower case; at most 254 characters; one `@` with text on both sides; no control characters.
 * A second normalisation changes nothing.
 */
export function normalizeEmail(text: string): string | undefined {
  // Lower-casing can produce text that is not NFKC, and NFKC can add blanks at its ends.
  const email = text.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
  const [local, domain, ...rest] = email.split('@');
  if (!local?.trim() || !domain?.trim() || rest.length > 0) return undefined;
  return [...email].length > MAX_CHARACTERS || /\p{Cc}/u.test(email) ? undefined : email;
}
