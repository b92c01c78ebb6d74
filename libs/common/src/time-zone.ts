import { Temporal } from 'temporal-polyfill';

/** Names that were found to be right. Their case does not count, so there are very many; a part is kept. */
const MAX_KNOWN = 1000;
const known = new Set<string>();

/**
 * Whether the name is an IANA time zone that this service knows. Offsets such as `+01:00` are not accepted.
 */
export function isTimeZone(name: unknown): name is string {
  if (typeof name !== 'string' || name.length > 64 || !/^[A-Za-z]/.test(name)) return false;
  if (known.has(name)) return true;
  try {
    // Intl is not used, because it also accepts ICU abbreviations such as PST, or CST, which stands for three
    // zones.
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
  } catch {
    return false;
  }
  if (known.size < MAX_KNOWN) known.add(name);
  return true;
}
