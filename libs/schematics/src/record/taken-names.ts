import ts from 'typescript';

/** The tables of the service, and the first part of the paths of its routes, without hyphens. */
const OF_THE_SERVICE = words(`
  account_usage accounts appointments auth changes device_tokens doses ended_sessions epochs erasures health_stats
  done_work interactions invites known_addresses logins medications migrations passkeys profiles push push_subscriptions rate_limits reminders reseal secret_fingerprints security_events
  account_keys invitations memberships sessions space space_invitations space_members space_rosters spaces sync totp_factors
  trust_book trust_books users`);

/** What PostgreSQL 18 reserves: `pg_get_keywords()`, categories R and T. */
const OF_POSTGRESQL = words(`
  all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation
  column concurrently constraint create cross current_catalog current_date current_role current_schema current_time
  current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze
  from full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit
  localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references
  returning right select session_user similar some symmetric system_user table tablesample then to trailing true
  union unique user using variadic verbose when where window with`);

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Returns who uses the name, in snake_case, of a record kind or of its table; undefined if nobody does. */
export function userOfName(name: string): string | undefined {
  return OF_THE_SERVICE.has(name) ? 'the service' : userOfColumn(name);
}

/** The same for a column. */
export function userOfColumn(name: string): string | undefined {
  if (OF_POSTGRESQL.has(name)) return 'PostgreSQL';
  return isReservedByTypeScript(name) ? 'TypeScript' : undefined;
}

function isReservedByTypeScript(name: string): boolean {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, name);
  const token = scanner.scan();
  return token >= ts.SyntaxKind.FirstReservedWord && token <= ts.SyntaxKind.LastFutureReservedWord;
}
