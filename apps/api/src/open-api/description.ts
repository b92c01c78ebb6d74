/** The introduction of the document. Markdown. */
export const DESCRIPTION = `Health records of a family, encrypted by the client before they are sent. The service stores opaque blobs and returns
them unchanged.

**To try it on this page:** send \`register\` (any strings will do for the wrapped keys). The page then uses the \`token\` of
the answer. To use another token, press **Authorize** and paste it, with or without \`Bearer\` before it. An id that is left
as in the example stands for the last record of its kind that an answer on this page has shown. So create a profile or list
the profiles first; then create a medication and log a dose.

**Errors** are \`{ error, code, details, request_id }\`. Decide by \`code\`, which is stable. Four failures belong to no
route: \`malformed_request\` (400), \`request_timeout\` (408), \`headers_too_large\` (431) and \`host_unknown\` (421).

**Fields.** An unknown field or query parameter is refused by name. An update may contain the read-only fields of the answer.

**Changes.** An answer with one record has an \`ETag\`. Send it back as \`If-Match\` with an update or a delete: if the
record has changed since, the answer is \`revision_mismatch\` (412) and nothing is overwritten. Without \`If-Match\` the last
write wins.

**Retries.** A create accepts an \`Idempotency-Key\`, which is valid for 24 hours. The same key with the same body gets the
same record and \`Idempotency-Replayed: true\`; with another body it gets \`idempotency_conflict\` (409). On 429 and 503 wait
for \`Retry-After\` seconds.

**Lists** are arrays. \`limit\` (1 to 1000) makes pages. Follow the \`Link\` header with \`rel="next"\` until there is none;
do not count, because a page ends after 2 MiB even if it has fewer records than \`limit\`. Without \`limit\` the whole list
is sent in chunks; if an error happens in the middle, the connection is closed.

**Sync.** \`GET /api/sync\` returns what was created, changed or deleted since a \`cursor\`. Store the changes before the
cursor. \`updated_since\` of a list is a filter for people and cannot replace it.

**Shared profiles.** A profile that several accounts share lives in a space. Routes that take the header \`Health-Space\`
then work on its records, as far as the role of the caller goes; any other route answers \`space_not_supported\` (400). A
write names the version of the space: on \`space_changed\` (409) read \`GET /api/space\` and seal anew if the key changed.

**Versions.** New fields, routes, error codes and values of enumerations may appear at any time; a client ignores what it
does not know. What is \`deprecated\` still works for at least twelve months.`;

/** What the routes of each tag are for. A module from outside may use tags that are not in this list. */
export const TAGS: readonly (readonly [name: string, description: string])[] = [
  ['Authentication', 'Register, sign in, exchange tokens, sign out. An access token is good for 15 minutes.'],
  ['Sessions', 'The devices that are signed in.'],
  ['Passkeys', 'To sign in without the password and, with PRF, to unlock.'],
  ['Second step', 'A passkey or a code of an app, after the password.'],
  ['Keys', 'Other keys for the whole account after a theft, and what your devices trust.'],
  ['Account', 'Your account, its email, and what happened to its credentials.'],
  ['Recovery', 'A new password for a person who has the recovery phrase.'],
  ['Profiles', 'The people and pets of the account. Every record below belongs to one of them.'],
  ['Medications', 'Medicines, with the schedule of their doses.'],
  ['Doses and adherence', 'Doses that were taken or skipped, and the share that was taken.'],
  ['Appointments', 'Visits to doctors and others.'],
  ['Health statistics', 'Measurements such as weight or blood pressure.'],
  ['Reminders', 'Messages to devices when something is due: Web Push, sealed by the client.'],
  ['Sync', 'What has changed since the last time, for clients that keep a copy.'],
  ['Shared profiles', 'Who shares a profile, with which keys, and as what.'],
  ['Interactions', 'Checks of medicines by name. Names are neither stored nor logged.'],
];
