import { Injectable } from '@nestjs/common';
import { type Caller, ServiceError } from '@app/common';
import type { Executor } from '@app/database';
import { MAX_KEPT_SPACES } from '../space-limits.rule';
import { MembershipsRepository } from './memberships.repository';
import { SpacesRepository } from './spaces.repository';

/** Counts the spaces of an account by asking each of them. */
@Injectable()
export class KeptSpacesService {
  constructor(
    private readonly spaces: SpacesRepository,
    private readonly memberships: MembershipsRepository,
  ) {}

  /** @param besides a space that does not count. @throws ServiceError `spaces_exceeded`. */
  async assertRoom({ accountId }: Caller, executor: Executor, besides?: string): Promise<void> {
    let kept = 0;
    for (const id of await this.memberships.list(accountId, executor))
      if (id !== besides && (await this.spaces.summary(id, accountId, executor))?.is_keeper) kept++;
    if (kept >= MAX_KEPT_SPACES) throw new ServiceError('spaces_exceeded');
  }
}
