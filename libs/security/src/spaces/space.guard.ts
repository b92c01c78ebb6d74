import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Caller, invalidField, mayAct, notFound, ServiceError, type SpaceRole } from '@app/common';
import { assertLiveSession, Database, type Executor, type Statement } from '@app/database';
import { isOnlyInSpaces, leastRole, setExposedHeader, type SpaceAccess, SPACE_HEADER } from '@app/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type NamedSpace, readSpaceHeader } from './space-header.rule';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller in the space that the request names. `user` stays the person: budgets and counters are theirs. */
    inSpace?: Caller;
  }
}

const HEADER = SPACE_HEADER.toLowerCase();
const READS = ['GET', 'HEAD'];

const FIND_ACCESS: Statement = {
  name: 'space access',
  text: `SELECT m.role, a.token_version AS version FROM accounts a
    JOIN space_members m ON m.account_id = $1 AND m.member_id = $2 WHERE a.id = $1`,
};

/** What a member may do at the moment, and the version of the space. */
interface Access {
  role: SpaceRole;
  version: number;
}

/**
 * Global, after `AccessTokenGuard`: lets a request act in a space, for a member whose role and version are right. Without
 * the header it does nothing.
 *
 * Security: a space of others, one that never was and the own account get the same statements and the same answer.
 */
@Injectable()
export class SpaceGuard implements CanActivate {
  constructor(private readonly database: Database) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const header = request.headers[HEADER];
    if (header !== undefined) {
      // A process of before shared profiles ignores the header, and would answer for the account. A client sees the difference.
      setExposedHeader(context.switchToHttp().getResponse<FastifyReply>(), SPACE_HEADER, '1');
      return this.enter(request, header);
    }
    if (isOnlyInSpaces(request.routeOptions.config.facts?.inSpaces)) throw malformed();
    return true;
  }

  private async enter(request: FastifyRequest, header: string | string[]): Promise<boolean> {
    const space = readSpaceHeader(header);
    const isRead = READS.includes(request.method);
    if (!space || (space.version === undefined && !isRead)) throw malformed();
    const needed = request.routeOptions.config.facts?.inSpaces;
    if (needed === undefined || request.user === undefined) throw new ServiceError('space_not_supported');
    request.inSpace = await this.callerIn(space, request.user, needed, isRead);
    return true;
  }

  private async callerIn(
    space: NamedSpace,
    person: Caller,
    needed: SpaceAccess,
    isRead: boolean,
  ): Promise<Caller> {
    // A write depends on the answer, so a replica may not give it.
    const executor: Executor = isRead ? this.database.shortReads : this.database;
    const [, [access]] = await Promise.all([
      assertLiveSession(executor, person),
      executor.query<Access>(FIND_ACCESS, [space.id, person.accountId]),
    ]);
    if (!access) throw notFound();
    if (typeof needed !== 'string' && 'refusal' in needed) throw new ServiceError(needed.refusal);
    if (!mayAct(access.role, leastRole(needed)!)) throw new ServiceError('space_role_too_low');
    if (space.version !== undefined && space.version !== access.version)
      throw new ServiceError('space_changed');
    return callerAs(access.role, person, space.id, access.version);
  }
}

/** The caller that a member is in a space. */
function callerAs(role: SpaceRole, person: Caller, spaceId: string, version: number): Caller {
  const { accountId: id, tokenVersion, sessionId, address } = person;
  const member = { id, role, tokenVersion };
  return { accountId: spaceId.toLowerCase(), tokenVersion: version, sessionId, address, member };
}

function malformed(): ServiceError {
  return invalidField(
    SPACE_HEADER,
    `${SPACE_HEADER} must be the id of a space, for a write with its version: <space id>;<version>`,
  );
}
