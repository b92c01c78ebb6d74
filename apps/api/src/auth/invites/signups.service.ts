import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ServiceError } from '@app/common';
import { ServiceConfig } from '@app/config';
import type { Executor } from '@app/database';
import { InvitesRepository } from './invites.repository';

/** Without letters and digits that look alike. A code of 20 characters has 99 random bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const LENGTH_OF_GROUP = 5;

/** Decides who may register. */
@Injectable()
export class SignupsService {
  constructor(
    private readonly invites: InvitesRepository,
    private readonly config: ServiceConfig,
  ) {}

  /**
   * Refuses a registration that may not be. Call it before any other work.
   *
   * Security: it does not look at the email, so a refusal costs the same for known and unknown emails.
   * @throws ServiceError `signups_closed`, `invite_required`, `invite_invalid`.
   */
  async assertOpen(code: string | undefined): Promise<void> {
    if (this.config.signups === 'open') return;
    if (this.config.signups === 'closed') throw new ServiceError('signups_closed');
    if (code === undefined) throw new ServiceError('invite_required');
    if (!(await this.invites.isValid(code))) throw new ServiceError('invite_invalid');
  }

  /**
   * Takes one use of the invitation. A registration that fails later gives it back, because both are one
   * transaction.
   *
   * @throws ServiceError `invite_invalid` if somebody else has used it meanwhile.
   */
  async use(transaction: Executor, code: string | undefined): Promise<void> {
    if (this.config.signups !== 'invite') return;
    if (!(await this.invites.use(transaction, code!))) throw new ServiceError('invite_invalid');
  }

  /** Makes an invitation. @returns its code, which is not stored. */
  async invite(uses: number, days: number): Promise<{ code: string; expires_at: string }> {
    const letter = () => ALPHABET[randomInt(ALPHABET.length)];
    const group = () => Array.from({ length: LENGTH_OF_GROUP }, letter).join('');
    const code = Array.from({ length: GROUPS }, group).join('-');
    return { code, expires_at: await this.invites.insert(code, uses, days) };
  }
}
