/** The one place for dates and times of the page. A day is a local date, `YYYY-MM-DD`. */

export function dayOf(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** The instant of a local time, `HH:MM`, on a day. */
export function instantOf(day: string, time: string): Date {
  const [year, month, date] = day.split('-').map(Number);
  const [hour, minute] = time.split(':').map(Number);
  return new Date(year, month - 1, date, hour, minute);
}

/** The local time of an instant, `HH:MM`. */
export function timeOf(at: Date): string {
  return `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`;
}

/** A number that counts days, so that the difference of two is the days between them. */
export function dayNumber(day: string): number {
  const [year, month, date] = day.split('-').map(Number);
  return Math.round(Date.UTC(year, month - 1, date) / 86_400_000);
}

export function addDays(day: string, days: number): string {
  return new Date((dayNumber(day) + days) * 86_400_000).toISOString().slice(0, 10);
}

/** 0 is Sunday. */
export function weekdayOf(day: string): number {
  return new Date(dayNumber(day) * 86_400_000).getUTCDay();
}

export function isDay(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** The language with the region of the browser, so that dates look as the person knows them. */
export function localeOf(language: string): string {
  return kept(locales, language, () => {
    const wanted = typeof navigator === 'undefined' ? [] : (navigator.languages ?? []);
    return wanted.find((each) => each.startsWith(`${language}-`)) ?? language;
  });
}

/** A browser makes the list of its languages anew for each who asks. */
const locales = new Map<string, string>();
const dateFormats = new Map<string, Intl.DateTimeFormat>();
const numberFormats = new Map<string, Intl.NumberFormat>();
const relativeFormats = new Map<string, Intl.RelativeTimeFormat>();

/** A formatter is slow to make, and a list formats each of its rows. */
function kept<Format>(formats: Map<string, Format>, key: string, make: () => Format): Format {
  const found = formats.get(key) ?? make();
  formats.set(key, found);
  return found;
}

/** For instants whose UTC fields are the wanted ones: a kept formatter must not keep a time zone. */
function dateFormat(language: string, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const locale = localeOf(language);
  const key = `${locale} ${JSON.stringify(style)}`;
  return kept(dateFormats, key, () => new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' }));
}

function numberFormat(language: string, style: Intl.NumberFormatOptions): Intl.NumberFormat {
  const locale = localeOf(language);
  return kept(
    numberFormats,
    `${locale} ${JSON.stringify(style)}`,
    () => new Intl.NumberFormat(locale, style),
  );
}

/** An instant whose UTC fields are the local ones of `at`. */
function withLocalFields(at: Date): number {
  return at.getTime() - at.getTimezoneOffset() * 60_000;
}

/** A day in the words of a language, for example `3 Dec 2026`. */
export function formatDay(
  day: string,
  language: string,
  style: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', year: 'numeric' },
): string {
  return dateFormat(language, style).format(dayNumber(day) * 86_400_000);
}

/** A local time in the words of a language. */
export function formatTime(at: Date, language: string): string {
  return dateFormat(language, { hour: 'numeric', minute: '2-digit' }).format(withLocalFields(at));
}

/** A day and a time in the words of a language. */
export function formatInstant(at: Date, language: string): string {
  return dateFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(withLocalFields(at));
}

/** As `formatInstant`, with the weekday: `Tue, 1 Dec 2026, 10:30`. */
export function formatAppointment(at: Date, language: string): string {
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  return dateFormat(language, { ...day, hour: 'numeric', minute: '2-digit' }).format(withLocalFields(at));
}

export function formatNumber(value: number, language: string, digits = 2): string {
  return numberFormat(language, { maximumFractionDigits: digits }).format(value);
}

/** The name of a weekday; 0 is Sunday. */
export function weekdayName(weekday: number, language: string, width: 'short' | 'long' = 'short'): string {
  // 4 January 1970 was a Sunday.
  return dateFormat(language, { weekday: width }).format((3 + weekday) * 86_400_000);
}

/** The name of a day near today: -1 is yesterday. */
export function nearDayName(offset: number, language: string): string {
  const format = () => new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return kept(relativeFormats, language, format).format(offset, 'day');
}

/** A share in percent; 1 is 100 %. Rounded down, so that nothing is called full too early. */
export function formatPercent(share: number, language: string): string {
  const style: Intl.NumberFormatOptions = { style: 'percent', maximumFractionDigits: 0 };
  return numberFormat(language, style).format(Math.floor(share * 100) / 100);
}

/** An amount of data: `34 kB`, `1.2 MB`. */
export function formatBytes(bytes: number, language: string): string {
  const [unit, size] = bytes < 1e6 ? ['kilobyte', 1e3] : ['megabyte', 1e6];
  const style: Intl.NumberFormatOptions = { style: 'unit', unit: unit, maximumFractionDigits: 1 };
  return numberFormat(language, style).format(bytes / size);
}
