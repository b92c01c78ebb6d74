import { Injectable } from '@nestjs/common';
import {
  type Caller,
  type Created,
  type ErrorDetail,
  type IdempotencyKeyDigest,
  invalidField,
  type RevisionCondition,
  validationError,
} from '@app/common';
import { type Executor, Syncs } from '@app/database';
import { RecordService } from '@app/records';
import type { CreateProfileRequest } from './dto/create-profile.request';
import { type ProfileResponse, toProfileResponse } from './dto/profile.response';
import type { UpdateProfileRequest } from './dto/update-profile.request';
import { ProfileEntity } from './entities/profile.entity';
import { ProfilesRepository } from './profiles.repository';

/** JSON text of the empty string: a name that is not set yet. */
const NO_NAME = '""';

@Injectable()
@Syncs(ProfileEntity)
export class ProfilesService extends RecordService<
  ProfileEntity,
  CreateProfileRequest,
  UpdateProfileRequest,
  ProfileResponse
> {
  constructor(protected override readonly records: ProfilesRepository) {
    super(records, 'profile');
  }

  /** @param executor the transaction, if the create is one of several steps. */
  override async create(
    caller: Caller,
    profile: CreateProfileRequest,
    requestKey?: IdempotencyKeyDigest,
    executor?: Executor,
  ): Promise<Created<ProfileResponse>> {
    const sent = this.toRow(profile);
    const values = {
      ...sent,
      id: profile.profile_id,
      kind: sent.kind ?? 'human',
      relationship: sent.relationship ?? 'self',
      wrapped_profile_dek_iv: sent.wrapped_profile_dek_iv ?? '',
      name_data: sent.name_data ?? NO_NAME,
      name_iv: sent.name_iv ?? '',
    };
    const made = await this.records.insert(caller, values, requestKey, executor);
    return made.map((row) => this.answer(row, caller));
  }

  override async update(
    caller: Caller,
    id: string,
    profile: UpdateProfileRequest,
    condition?: RevisionCondition,
  ): Promise<ProfileResponse> {
    const changes = this.toRow(profile);
    assertWrap(caller, changes);
    const row = lacksIv(changes)
      ? await this.records.modify(caller, id, condition, (current) => {
          assertIvs(current, changes);
          return { changes };
        })
      : await this.records.update(caller, id, { changes, condition });
    return this.answer(row, caller);
  }

  protected toRow(profile: CreateProfileRequest | UpdateProfileRequest): Partial<ProfileEntity> {
    const { kind, relationship, wrapped_profile_dek, wrapped_profile_dek_iv, name_data, name_iv } = profile;
    return {
      kind,
      relationship,
      wrapped_profile_dek,
      wrapped_profile_dek_iv,
      name_data: name_data?.text,
      name_iv,
    };
  }

  protected toResponse(row: ProfileEntity, caller: Caller): ProfileResponse {
    return toProfileResponse(caller, row);
  }
}

/** In a space each member has a wrap of their own, and that of the profile is empty: it may be sent back so. */
function assertWrap({ member }: Caller, changes: Partial<ProfileEntity>): void {
  const { wrapped_profile_dek: wrap, wrapped_profile_dek_iv: iv } = changes;
  const field = 'wrapped_profile_dek';
  if (member && (wrap || iv))
    throw invalidField(field, `${field} must be absent or empty for a shared profile`);
  if (!member && wrap === '') throw invalidField(field, `${field} must be a non-empty string`);
}

const ENCRYPTED_WITH_IV = [
  ['name_data', 'name_iv'],
  ['wrapped_profile_dek', 'wrapped_profile_dek_iv'],
] as const;

function lacksIv(changes: Partial<ProfileEntity>): boolean {
  return ENCRYPTED_WITH_IV.some(([value, iv]) => changes[value] !== undefined && changes[iv] === undefined);
}

/**
 * Refuses a new ciphertext without its new IV, because it could never be decrypted. A client that keeps no
 * separate IV is exempt.
 */
function assertIvs(current: ProfileEntity, changes: Partial<ProfileEntity>): void {
  const details: ErrorDetail[] = ENCRYPTED_WITH_IV.filter(
    ([value, iv]) =>
      changes[value] !== undefined &&
      changes[iv] === undefined &&
      changes[value] !== current[value] &&
      current[iv] !== '',
  ).map(([value, iv]) => ({ field: iv, message: `${iv} must be sent together with a new ${value}` }));
  if (details.length > 0) throw validationError(details);
}
