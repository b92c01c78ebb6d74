import { domainToASCII, domainToUnicode } from 'node:url';

const MAX_CHARACTERS = 254;

/**
 * The form in which an email identifies an account, or `undefined` if the text is not an email.
 *
 * Trimmed, NFKC, lower case; at most 254 characters; one `@` with text on both sides; no control characters. The
 * domain is the one that a mail server would find: with IDNA, without invisible characters and a dot at its end.
 * A second normalisation changes nothing.
 */
export function normalizeEmail(text: string): string | undefined {
  // Lower-casing can produce text that is not NFKC, and NFKC can add blanks at its ends.
  const normal = text.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
  const [local, domain, ...rest] = normal.split('@');
  if (!local?.trim() || !domain?.trim() || rest.length > 0) return undefined;
  const email = `${local}@${registeredDomain(domain)}`;
  return [...email].length > MAX_CHARACTERS || /\p{Cc}/u.test(email) ? undefined : email;
}

/** The form under which a domain is registered, or the same text if it is none. */
function registeredDomain(domain: string): string {
  const name = domain.replace(/(?<=[^.])\.$/, '');
  // A number is read as an address: `1.2` as `1.0.0.2`.
  if (/(^|\.)(\d+|0x[\da-f]*)$/.test(name)) return domain;
  return domainToUnicode(domainToASCII(name)) || domain;
}
