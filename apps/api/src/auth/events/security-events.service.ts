import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Caller, Page } from '@app/common';
import type { Executor } from '@app/database';
import { type ListQuery, toListRequest } from '@app/http';
import { type SecurityEventResponse, toSecurityEventResponse } from './dto/security-event.response';
import type { SecurityEventKind } from './entities/security-event.entity';
import { SecurityEventsRepository } from './security-events.repository';

/** Records events that concern the credentials of an account, and lists them for its owner. */
@Injectable()
export class SecurityEventsService implements OnApplicationShutdown {
  private readonly log = new Logger('SecurityEvents');
  private readonly pending = new Set<Promise<void>>();

  constructor(private readonly events: SecurityEventsRepository) {}

  async list(caller: Caller, query: ListQuery): Promise<Page<SecurityEventResponse>> {
    return (await this.events.list(caller, toListRequest(query))).map(toSecurityEventResponse);
  }

  /**
   * Records an event in the transaction of the change that it describes.
   * @param address of the client; `null` for what an operator has done.
   */
  async record(
    executor: Executor,
    accountId: string,
    kind: SecurityEventKind,
    address: string | null,
  ): Promise<void> {
    await this.events.add(accountId, kind, address, executor);
  }

  /** Records an event that a client can cause without limit: one for each network and hour, with a count. */
  async gather(
    executor: Executor,
    accountId: string,
    kind: SecurityEventKind,
    address: string,
  ): Promise<void> {
    await this.events.gather(accountId, kind, address, executor);
  }

  /**
   * Gathers a refusal in the background.
   *
   * Security: the write takes longer for an account than for an unknown email. The answer must not wait for it.
   */
  recordRefusal(accountId: string, kind: SecurityEventKind, address: string): void {
    const recorded = this.events
      .gather(accountId, kind, address)
      .catch((error: Error) => this.log.warn(`An event was not recorded (${error.name}).`))
      .finally(() => this.pending.delete(recorded));
    this.pending.add(recorded);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.pending);
  }
}
