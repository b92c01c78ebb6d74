/** Faults to plant, each alone: in `file` the first `find` becomes `put`, and a test of `spec` must fail. */
const STATEMENTS = 'libs/database/src/records/owned-statements.ts';
const SESSIONS = 'apps/api/src/auth/sessions/sessions.repository.ts';
const ACCOUNTS = 'apps/api/src/auth/accounts/accounts.repository.ts';
const OWNERSHIP = 'test/security/ownership.spec.ts';
const QUOTAS = 'test/security/quotas.spec.ts';
const TOKENS = 'test/security/access-tokens.spec.ts';
const SIGN_OUT = 'test/security/sign-out.spec.ts';
const SESSION_SPEC = 'test/security/sessions.spec.ts';
const KINDS = 'test/e2e/conventions.spec.ts';
const RECORDS = 'test/e2e/record-kinds.spec.ts';
const GATE = 'libs/client/src/offline/gate.ts';
const SPACES = 'test/security/spaces.spec.ts';
const HOSTILE = 'test/client/hostile/hostile.spec.ts';

export const FAULTS = [
  // Ownership and the end of sessions, in the statements of records.
  fault(
    'a record is found by its id alone',
    STATEMENTS,
    'JOIN ${this.table} r ON r.account_id = a.id\n        WHERE a.id = $1 AND a.token_version = $2 AND r.id = $3',
    'JOIN ${this.table} r ON true\n        WHERE a.id = $1 AND a.token_version = $2 AND r.id = $3',
    OWNERSHIP,
  ),
  fault(
    'a record is changed by its id alone',
    STATEMENTS,
    'r.account_id = a.id AND r.id = $3\n        AND ($4',
    'r.id = $3\n        AND ($4',
    OWNERSHIP,
  ),
  fault(
    'a record is deleted by its id alone',
    STATEMENTS,
    'r.account_id = a.id AND r.id = $3${condition}',
    'r.id = $3${condition}',
    OWNERSHIP,
  ),
  fault(
    'a list holds the records of all accounts',
    STATEMENTS,
    'WHERE r.account_id = $1 AND ${IS_VALID_CALLER}${conditions',
    'WHERE ${IS_VALID_CALLER}${conditions',
    OWNERSHIP,
  ),
  fault(
    'a foreign profile counts as a parent',
    STATEMENTS,
    'p ON p.account_id = a.id\n',
    'p ON true\n',
    OWNERSHIP,
  ),
  fault(
    'the feed reads records by id alone',
    STATEMENTS,
    'r.account_id = $1 AND r.id = wanted.id',
    'r.id = wanted.id',
    'test/e2e/sync.spec.ts',
  ),
  fault(
    'a read asks for no token version',
    STATEMENTS,
    'a.token_version = $2 AND r.id = $3',
    '$2::int IS NOT NULL AND r.id = $3',
    TOKENS,
  ),
  fault(
    'a list asks for no token version',
    STATEMENTS,
    'WHERE r.account_id = $1 AND ${IS_VALID_CALLER}${conditions',
    'WHERE r.account_id = $1 AND $2::int IS NOT NULL${conditions',
    TOKENS,
  ),
  fault(
    'an insert asks for no token version',
    STATEMENTS,
    'a.token_version = $2 AND NOT',
    '$2::int IS NOT NULL AND NOT',
    TOKENS,
  ),
  fault(
    'a change asks for no token version',
    STATEMENTS,
    'a.token_version = $2 AND r.account_id = a.id AND r.id = $3\n',
    '$2::int IS NOT NULL AND r.account_id = a.id AND r.id = $3\n',
    TOKENS,
  ),
  fault(
    'a change ignores If-Match',
    STATEMENTS,
    "AND ($4::text[] IS NULL OR ${tagsAllow('r.revision', '$4')})",
    'AND ($4::text[] IS NULL OR true)',
    RECORDS,
  ),
  fault(
    'a change leaves the revision',
    STATEMENTS,
    'revision = r.revision + 1',
    'revision = r.revision',
    RECORDS,
  ),
  fault('the quota allows one record more', STATEMENTS, 'u.records >= ', 'u.records > ', QUOTAS),
  fault(
    'the quota counts no bytes of a new record',
    STATEMENTS,
    "this.overQuota('records', 'bytes')",
    "this.overQuota('records')",
    QUOTAS,
  ),
  fault(
    'a list skips a record between two pages',
    STATEMENTS,
    "=== 'ASC' ? '>' : '<'",
    "=== 'ASC' ? '>' : '<='",
    'test/e2e/conventions-lists.spec.ts',
  ),

  // Sessions and secrets.
  fault(
    'a sign-out ends only the current token',
    SESSIONS,
    'id = $2 RETURNING token_hash = $3',
    'id = $2 AND token_hash = $3 RETURNING token_hash = $3',
    SIGN_OUT,
  ),
  fault(
    'an ended session ends others',
    SESSIONS,
    'AND EXISTS (SELECT 1 FROM sessions c WHERE c.account_id = $1 AND c.id = $4)',
    'AND $4::uuid IS NOT NULL',
    SIGN_OUT,
  ),
  fault(
    'access tokens outlive their session',
    'libs/security/src/access-token-verifier.ts',
    'bearer && !this.ended.has(bearer.sessionId)',
    'bearer',
    SIGN_OUT,
  ),
  fault('a sixth session is kept', SESSIONS, 'MAX_SESSIONS = 5', 'MAX_SESSIONS = 6', SIGN_OUT),
  fault(
    'reuse is harmless for two seconds more',
    SESSIONS,
    'REUSE_GRACE_SECONDS = 10',
    'REUSE_GRACE_SECONDS = 12',
    SESSION_SPEC,
  ),
  fault(
    'a session lives two days longer',
    SESSIONS,
    'MAX_SESSION_AGE_DAYS = 180',
    'MAX_SESSION_AGE_DAYS = 182',
    SESSION_SPEC,
  ),
  fault(
    'a refresh token is an access token',
    'libs/security/src/tokens.ts',
    'header.typ !== typ ||',
    '',
    TOKENS,
  ),
  fault(
    'a new password ends no token',
    ACCOUNTS,
    'token_version = token_version + 1, revision = revision + 1, updated_at = now()\n    WHERE id = $1 AND token_version = $2 AND ($3',
    'revision = revision + 1, updated_at = now()\n    WHERE id = $1 AND token_version = $2 AND ($3',
    'test/e2e/auth-change-password.spec.ts',
  ),
  fault(
    'device tokens outlive logout-all',
    'apps/api/src/auth/sessions/sessions.service.ts',
    'await this.devices.deleteAll(transaction, caller.accountId);',
    '',
    'test/security/device-tokens.spec.ts',
  ),
  fault(
    'an erased account keeps its sign-in',
    'libs/security/src/live-session.guard.ts',
    'await assertLiveSession(this.database.shortReads, user);',
    'void user;',
    TOKENS,
  ),
  fault(
    'one wrong secret more is tried',
    'libs/security/src/rate-limits/rate-limits.ts',
    'states[index].points > policy.points',
    'states[index].points > policy.points + 1',
    'test/security/rate-limits.spec.ts',
  ),
  fault(
    'a wrong secret gives its points back',
    'libs/security/src/rate-limits/rate-limits.ts',
    'if (!isWrong) await',
    'await',
    'test/security/rate-limits.spec.ts',
  ),
  fault(
    'an unknown email costs no hash',
    'libs/security/src/password-hasher.ts',
    "'sha512');\n      if (padding > 0)",
    "'sha512');\n      if (padding > 1e9)",
    'libs/security/src/password-hasher.spec.ts',
  ),
  fault(
    'a wrong secret is right',
    'libs/security/src/password-hasher.ts',
    'timingSafeEqual(derived, hash) && known',
    'known',
    'libs/security/src/password-hasher.spec.ts',
  ),
  fault(
    'an expired token is taken from memory',
    'libs/security/src/verified-tokens.ts',
    'known.expiresAtMs > Date.now()',
    'known.expiresAtMs > 0',
    'libs/security/src/verified-tokens.spec.ts',
  ),
  fault(
    'accounts of a household share a pseudonym',
    'libs/security/src/address-pseudonyms.ts',
    'PURPOSE, accountId, networkOf',
    "PURPOSE, '', networkOf",
    'libs/security/src/address-pseudonyms.spec.ts',
  ),
  fault(
    'maintenance refuses the end of sessions',
    'apps/api/src/auth/sessions/sessions.controller.ts',
    "  @WorksReadOnly()\n  @Post('logout-all')",
    "  @Post('logout-all')",
    'test/e2e/signups.spec.ts',
  ),

  // What a request may be.
  fault(
    'unknown fields are dropped',
    'libs/http/src/requests/request.pipe.ts',
    'forbidNonWhitelisted: true',
    'forbidNonWhitelisted: false',
    'libs/http/src/requests/request.pipe.spec.ts',
  ),
  fault(
    'one size too large hides other errors',
    'libs/http/src/requests/request.pipe.ts',
    'broken.every(',
    'broken.some(',
    'libs/http/src/requests/request.pipe.spec.ts',
  ),
  fault(
    'an unknown parameter is ignored',
    'libs/http/src/requests/known-query.guard.ts',
    'if (unknown.length === 0)',
    'if (unknown.length >= 0)',
    KINDS,
  ),
  fault(
    'a body is one level deeper',
    'libs/opaque/src/limits.ts',
    'MAX_DEPTH = 64',
    'MAX_DEPTH = 65',
    'libs/opaque/src/scan-body.spec.ts',
  ),
  fault(
    'a body has a member more',
    'libs/opaque/src/limits.ts',
    'MAX_MEMBERS = 10_000',
    'MAX_MEMBERS = 10_001',
    'libs/opaque/src/scan-body.spec.ts',
  ),
  fault(
    'a name twice inside of a value is dropped',
    'libs/opaque/src/scan-body.ts',
    'checkedMembers(value, field) < countInText',
    'checkedMembers(value, field) < 0',
    'libs/opaque/src/scan-body.spec.ts',
  ),
  fault(
    'a lone surrogate reaches the database',
    'libs/opaque/src/scan-body.ts',
    '!text.isWellFormed()',
    'false',
    'libs/opaque/src/scan-body.spec.ts',
  ),
  fault(
    'an opaque value ends a character early',
    'libs/opaque/src/scan-body.ts',
    'text.slice(from, to)',
    'text.slice(from, to - 1)',
    'libs/opaque/src/scan-body.spec.ts',
  ),
  fault(
    'an expired access token is taken',
    'libs/security/src/tokens.ts',
    'complete: true, secret',
    'complete: true, ignoreExpiration: true, secret',
    TOKENS,
  ),
  fault(
    'the doses since the start are those of the whole period',
    'apps/api/src/medications/medications.repository.ts',
    'FILTER (WHERE d.taken AND d.logged_at >= since.instant)',
    'FILTER (WHERE d.taken)',
    'test/e2e/adherence.spec.ts',
  ),
  fault(
    'a blob has a byte more',
    'libs/opaque/src/limits.ts',
    'MAX_BLOB_BYTES = 256 * 1024',
    'MAX_BLOB_BYTES = 256 * 1024 + 1',
    'test/e2e/opaque.spec.ts',
  ),
  fault(
    'emails differ by their case',
    'libs/common/src/email.ts',
    '.toLowerCase()',
    '',
    'libs/common/src/email.spec.ts',
  ),
  fault(
    'an email has a character more',
    'libs/common/src/email.ts',
    '> MAX_CHARACTERS',
    '> MAX_CHARACTERS + 1',
    'libs/common/src/email.spec.ts',
  ),
  fault(
    'any text is an entity tag',
    'libs/http/src/headers/if-match.ts',
    'if (TAG.test(tag))',
    'if (tag !== undefined)',
    'libs/http/src/headers/if-match.spec.ts',
  ),
  fault(
    'a cursor has further parts',
    'libs/common/src/paging.ts',
    'rest.length > 0',
    'rest.length > 1',
    'libs/common/src/paging.spec.ts',
  ),
  fault(
    'a queue has a slot more',
    'libs/common/src/queues.ts',
    'group.used + weight <= this.slotsOfEach',
    'group.used + weight <= this.slotsOfEach + 1',
    'libs/common/src/queues.spec.ts',
  ),
  fault(
    'a queue is one longer',
    'libs/common/src/queues.ts',
    'group.waiting!.size <= (each',
    'group.waiting!.size <= 1 + (each',
    'libs/common/src/queues.spec.ts',
  ),
  fault(
    'adherence counts a day too early',
    'apps/api/src/medications/adherence.rule.ts',
    'index - PERIOD_DAYS + 1',
    'index - PERIOD_DAYS',
    'apps/api/src/medications/adherence.rule.spec.ts',
  ),

  // What a client believes.
  fault(
    'what the service says is stored as it came',
    GATE,
    'await this.#verifyWithAllKeys(kind, id, body!, known)',
    'await this.sealOf(kind, body!)',
    HOSTILE,
  ),
  fault(
    'a deletion counts without a head',
    GATE,
    'last && !isOurs ? await this.#whyHeld(last, rows) : undefined',
    'undefined as { above?: string } | undefined',
    HOSTILE,
  ),
  fault(
    'a state that leaves ours out is taken',
    GATE,
    'if (isMadeFrom(seal, ours) ?? !isOther)',
    'if (isOther || ours)',
    'test/client/hostile/forks.spec.ts',
  ),
  fault(
    'any proof of a dose is right',
    'libs/client/src/records/dose-proofs.ts',
    'if (!key || !(await isProven(dose, proof, key)))',
    'if (!key)',
    'test/client/dose-proofs.spec.ts',
  ),
  fault(
    'tokens of another account are taken',
    'libs/client/src/http/tokens.ts',
    'if (accountId === expected) return;',
    'if (accountId === expected || expected) return;',
    'libs/client/src/account/account-binding.spec.ts',
  ),
  // Roles, versions and owners of shared profiles.
  fault(
    'a carer changes what others wrote',
    STATEMENTS,
    "` AND r.author_id = ${params.get('author_id')}`",
    "''",
    'test/security/spaces-roles.spec.ts',
  ),
  fault(
    'no role is asked for in a space',
    'libs/security/src/spaces/space.guard.ts',
    'if (!mayAct(access.role, leastRole(needed)!))',
    "if (mayAct('viewer', 'owner'))",
    'test/security/spaces-roles.spec.ts',
  ),
  fault(
    'an old version of a space is taken',
    'libs/security/src/spaces/space.guard.ts',
    'space.version !== access.version',
    'space.version === -1',
    'test/security/spaces-roles.spec.ts',
  ),
  fault(
    'an owner puts another one out',
    'apps/api/src/spaces/circle/circle.service.ts',
    "if (role === 'owner') throw tooLow();",
    'if (role === undefined) throw tooLow();',
    SPACES,
  ),
  fault(
    'an invitation lets everybody in who accepts at once',
    'apps/api/src/spaces/invitations/invitations.repository.ts',
    'AND i.accepted_by IS NULL RETURNING',
    'RETURNING',
    SPACES,
  ),
];

function fault(name, file, find, put, spec) {
  return { name, file, find, put, spec };
}
