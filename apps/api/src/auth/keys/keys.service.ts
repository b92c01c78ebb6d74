import { Injectable } from '@nestjs/common';
import { type Caller, invalidField, newId, ServiceError } from '@app/common';
import { assertLiveSession, Database, type Executor } from '@app/database';
import { PasswordHasher } from '@app/security';
import { AccountsService } from '../accounts/accounts.service';
import type { AccountEntity } from '../accounts/entities/account.entity';
import { ProofService } from '../accounts/proof.service';
import { DeviceTokensRepository } from '../devices/device-tokens.repository';
import { NoticesService } from '../email/notices.service';
import { SecurityEventsService } from '../events/security-events.service';
import { PasskeysRepository } from '../passkeys/passkeys.repository';
import { SecondStepService } from '../second-step/second-step.service';
import type { AuthenticationResponse } from '../sessions/dto/authentication.response';
import { SessionsService } from '../sessions/sessions.service';
import {
  NO_TRUST_BOOK,
  type ResealResponse,
  toTrustBookResponse,
  type TrustBookResponse,
} from './dto/keys.responses';
import type { ResealRequest } from './dto/reseal.request';
import type { RotateKeysRequest } from './dto/rotate-keys.request';
import type { PutTrustBookRequest } from './dto/trust-book.request';
import { KeysRepository } from './keys.repository';

/** A dose has no revision: it never changes. */
const OF_DOSES = ['former_proof', 'proof'] as const;
const OF_RECORDS = ['revision', 'encrypted_data'] as const;

/** Other keys for an account: after a theft, a new password alone helps nobody. */
@Injectable()
export class KeysService {
  constructor(
    private readonly database: Database,
    private readonly keys: KeysRepository,
    private readonly accounts: AccountsService,
    private readonly proofs: ProofService,
    private readonly sessions: SessionsService,
    private readonly devices: DeviceTokensRepository,
    private readonly passkeys: PasskeysRepository,
    private readonly steps: SecondStepService,
    private readonly events: SecurityEventsService,
    private readonly notices: NoticesService,
    private readonly hasher: PasswordHasher,
  ) {}

  /** Revision 0 where there is none. @throws ServiceError `token_revoked`. */
  async trustBook(caller: Caller): Promise<TrustBookResponse> {
    const book = await this.keys.findTrustBook(caller);
    if (book) return toTrustBookResponse(book);
    await assertLiveSession(this.database, caller);
    return NO_TRUST_BOOK;
  }

  /** @throws ServiceError `revision_mismatch`, `token_revoked`. */
  async putTrustBook(caller: Caller, request: PutTrustBookRequest): Promise<TrustBookResponse> {
    const book = await this.keys.putTrustBook(caller, request);
    if (book) return toTrustBookResponse(book);
    await assertLiveSession(this.database, caller);
    throw new ServiceError('revision_mismatch');
  }

  /**
   * Replaces the account key, all profile keys, the password and the phrase, all or nothing. Ends every session and
   * device token, and opens a new session.
   *
   * @throws ServiceError `keys_changed` if the client has not seen all profiles, or has other keys for others than are stored, `current_password_wrong`, `token_revoked`,
   *   `rate_limited`, `overloaded`.
   */
  async rotate(caller: Caller, request: RotateKeysRequest): Promise<AuthenticationResponse> {
    const { accountId, address } = caller;
    const account = await this.proofs.confirmPassword(caller, request.current_password);
    const proofHash = await this.hasher.hash(request.recovery_proof, address, true);
    const replace = async (transaction: Executor, changed: AccountEntity, label: string | null) => {
      await this.keys.setRecovery(transaction, accountId, request, proofHash);
      await this.keys.replaceAccountKeys(transaction, accountId, request);
      await this.keys.replaceSealed(transaction, accountId, request);
      if (request.end_passkeys) {
        await this.passkeys.deleteAll(transaction, accountId);
        await this.steps.switchOff(transaction, accountId, address);
      } else {
        await this.passkeys.endWraps(transaction, accountId);
      }
      await this.devices.deleteAll(transaction, accountId);
      await this.events.record(transaction, accountId, 'keys_rotated', address);
      return this.sessions.open(transaction, changed, address, { id: newId(), label });
    };
    const response = await this.accounts.replaceSecret(account, request, { address, caller }, replace);
    if (!response) throw new ServiceError('token_revoked');
    this.notices.tell(account, 'keys_rotated');
    return response;
  }

  /** @throws ServiceError `validation_failed` for an unknown kind or a missing field, `token_revoked`. */
  async reseal(caller: Caller, { kind, records }: ResealRequest): Promise<ResealResponse> {
    const statement = this.keys.resealOf(kind);
    if (!statement) throw invalidField('kind', 'kind must be that of sealed records');
    const needed = kind === 'dose' ? OF_DOSES : OF_RECORDS;
    for (const [at, record] of records.entries())
      for (const name of needed)
        if (record[name] === undefined) {
          const field = `records.${at}.${name}`;
          throw invalidField(field, `${field} is missing`);
        }
    return { resealed: await this.keys.reseal(caller, statement, records) };
  }
}
