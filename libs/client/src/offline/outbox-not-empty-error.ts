import { HealthRecordsError } from '../errors';

/**
 * A sign-out or the end of the account would lose writes that the service has not confirmed. Sync first, or use
 * the option `force`.
 * `code` `outbox_not_empty`.
 */
export class OutboxNotEmptyError extends HealthRecordsError {
  override readonly name: string = 'OutboxNotEmptyError';
  /** The number of writes. */
  readonly pending: number;

  constructor(pending: number) {
    super('outbox_not_empty', `${pending} write(s) have not reached the service.`);
    this.pending = pending;
  }
}
