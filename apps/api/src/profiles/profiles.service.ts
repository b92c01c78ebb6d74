import { Injectable } from '@nestjs/common';
import {
  type Caller,
  type Created,
  type ErrorDetail,
  type Page,
  type IdempotencyKeyDigest,
  type RevisionCondition,
  validationError,
} from '@app/common';
import { type Executor, Syncs, type SyncSource } from '@app/database';
import { type ListQuery, toListRequest } from '@app/http';
import type { CreateProfileRequest } from './dto/create-profile.request';
import { type ProfileResponse, toProfileResponse } from './dto/profile.response';
import type { UpdateProfileRequest } from './dto/update-profile.request';
import { ProfileEntity } from './entities/profile.entity';
import { ProfilesRepository } from './profiles.repository';

/** JSON text of the empty string: a name that is not set yet. */
const NO_NAME = '""';

@Injectable()
@Syncs(ProfileEntity)
export class ProfilesService implements SyncSource {
  constructor(private readonly profiles: ProfilesRepository) {}

  async list(caller: Caller, query: ListQuery): Promise<Page<ProfileResponse>> {
    return (await this.profiles.list(caller, toListRequest(query))).map((row) =>
      toProfileResponse(caller, row),
    );
  }

  async get(caller: Caller, id: string): Promise<ProfileResponse> {
    return toProfileResponse(caller, await this.profiles.find(caller, id));
  }

  /** @param executor the transaction, if the create is one of several steps. */
  async create(
    caller: Caller,
    profile: CreateProfileRequest,
    requestKey?: IdempotencyKeyDigest,
    executor?: Executor,
  ): Promise<Created<ProfileResponse>> {
    const values = {
      id: profile.profile_id,
      kind: profile.kind ?? 'human',
      relationship: profile.relationship ?? 'self',
      wrapped_profile_dek: profile.wrapped_profile_dek,
      wrapped_profile_dek_iv: profile.wrapped_profile_dek_iv ?? '',
      name_data: profile.name_data?.text ?? NO_NAME,
      name_iv: profile.name_iv ?? '',
    };
    return (await this.profiles.insert(caller, values, requestKey, executor)).map((row) =>
      toProfileResponse(caller, row),
    );
  }

  async update(
    caller: Caller,
    id: string,
    profile: UpdateProfileRequest,
    condition?: RevisionCondition,
  ): Promise<ProfileResponse> {
    const changes: Partial<ProfileEntity> = {
      kind: profile.kind,
      relationship: profile.relationship,
      wrapped_profile_dek: profile.wrapped_profile_dek,
      wrapped_profile_dek_iv: profile.wrapped_profile_dek_iv,
      name_data: profile.name_data?.text,
      name_iv: profile.name_iv,
    };
    if (!lacksIv(changes))
      return toProfileResponse(caller, await this.profiles.update(caller, id, { changes, condition }));
    const row = await this.profiles.modify(caller, id, condition, (current) => {
      assertIvs(current, changes);
      return { changes };
    });
    return toProfileResponse(caller, row);
  }

  /** Removes the profile and everything under it. */
  async delete(caller: Caller, id: string, condition?: RevisionCondition): Promise<void> {
    await this.profiles.delete(caller, id, condition);
  }

  async findByIds(caller: Caller, ids: string[], snapshot: Executor): Promise<Map<string, object>> {
    return this.profiles.findByIds(caller, ids, snapshot, (row) => toProfileResponse(caller, row));
  }
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
