import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Caller, Clock, invalidField, isUuid, notFound, ServiceError } from '@app/common';
import { assertLiveSession, Database } from '@app/database';
import { RateLimits, SPACE_POLICIES } from '@app/security';
import { MembershipsRepository } from '../begin/memberships.repository';
import { SpaceRepository } from '../circle/space.repository';
import { MAX_INVITATION_DAYS } from '../space-limits.rule';
import type {
  AcceptInvitationRequest,
  InviteRequest,
  OpenInvitationRequest,
} from './dto/invitation.requests';
import {
  type AcceptedInvitationResponse,
  type InvitationResponse,
  type OfferResponse,
  toInvitationResponse,
  toOfferResponse,
} from './dto/invitation.responses';
import { type InvitationKey, InvitationsRepository, type OfferedInvitation } from './invitations.repository';

/** Clocks of devices differ a little. */
const MAX_AHEAD_MS = MAX_INVITATION_DAYS * 24 * 60 * 60 * 1000 + 5 * 60 * 1000;

@Injectable()
export class InvitationsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly limits: RateLimits,
    private readonly spaces: SpaceRepository,
    private readonly memberships: MembershipsRepository,
    private readonly invitations: InvitationsRepository,
  ) {}

  /** @throws ServiceError `space_changed`. */
  async list(caller: Caller): Promise<InvitationResponse[]> {
    const rows = await this.invitations.list(caller.accountId, caller.tokenVersion);
    if (rows.length === 0) await assertLiveSession(this.database, caller);
    return rows.map(toInvitationResponse);
  }

  /** @throws ServiceError `id_taken`, `members_exceeded`, `space_changed`, `validation_failed` for the time. */
  async invite(caller: Caller, request: InviteRequest): Promise<InvitationResponse> {
    const { id, role, expires_at, proof_hash, offer } = request;
    this.assertInTime(expires_at);
    const made = await this.database.transaction(async (transaction) => {
      await this.spaces.lock(transaction, caller);
      return this.invitations.insert(transaction, caller.accountId, {
        id,
        role,
        proof_hash: Buffer.from(proof_hash, 'base64'),
        offer: offer.text,
        created_by: caller.member!.id,
        expires_at,
      });
    });
    if (made === 'taken') throw new ServiceError('id_taken');
    if (made === 'full') throw new ServiceError('members_exceeded');
    return toInvitationResponse(made);
  }

  /** @throws ServiceError `not_found`, `space_changed`. */
  async delete(caller: Caller, id: string): Promise<void> {
    const { accountId, tokenVersion } = caller;
    if (isUuid(id) && (await this.invitations.delete(accountId, tokenVersion, id))) return;
    await assertLiveSession(this.database, caller);
    throw notFound();
  }

  /**
   * Security: an unknown, an expired and a wrong one get the same answer.
   *
   * @throws ServiceError `not_found`, `rate_limited`, `token_revoked`.
   */
  async open(caller: Caller, request: OpenInvitationRequest): Promise<OfferResponse> {
    return toOfferResponse(await this.find(caller, keyOf(request)));
  }

  /**
   * The same account may accept it again. The hint is written before, so that nobody is a member without knowing where.
   *
   * @throws ServiceError `not_found`, `invitation_taken`, `already_member`, `spaces_exceeded`, `rate_limited`, `token_revoked`.
   */
  async accept(caller: Caller, request: AcceptInvitationRequest): Promise<AcceptedInvitationResponse> {
    const key = keyOf(request);
    const { accountId } = caller;
    const found = await this.find(caller, key);
    if (found.is_member) throw new ServiceError('already_member');
    if (found.accepted_by !== null && found.accepted_by !== accountId)
      throw new ServiceError('invitation_taken');
    await this.memberships.add(caller, key.spaceId);
    if (
      found.accepted_by === null &&
      !(await this.invitations.accept(key, accountId, request.acceptance.text))
    )
      await this.assertAccepted(key, accountId);
    return { state: 'waiting' };
  }

  private async find(caller: Caller, key: InvitationKey): Promise<OfferedInvitation> {
    await this.limits.takeFrom(SPACE_POLICIES.invite, caller.accountId);
    await assertLiveSession(this.database, caller);
    const found = await this.invitations.find(key, caller.accountId);
    if (!found) throw notFound();
    return found;
  }

  /** Another request came first: of this account, or of another one. */
  private async assertAccepted(key: InvitationKey, accountId: string): Promise<void> {
    const now = await this.invitations.find(key, accountId);
    if (now?.accepted_by === accountId) return;
    await this.memberships.delete(accountId, key.spaceId);
    throw now ? new ServiceError('invitation_taken') : notFound();
  }

  private assertInTime(expiresAt: string): void {
    const ahead = Date.parse(expiresAt) - this.clock.now().getTime();
    if (ahead > 0 && ahead <= MAX_AHEAD_MS) return;
    const message = `expires_at must be in the next ${MAX_INVITATION_DAYS} days`;
    throw invalidField('expires_at', message);
  }
}

function keyOf({ space_id, id, proof }: OpenInvitationRequest): InvitationKey {
  const proofHash = createHash('sha256').update(Buffer.from(proof, 'base64')).digest();
  return { spaceId: space_id.toLowerCase(), id, proofHash };
}
