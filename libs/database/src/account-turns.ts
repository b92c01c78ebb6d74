import { Turns } from '@app/common';

/** Runs work one at a time. Accounts take turns, so an account with much work does not delay the others. */
export class AccountTurns {
  private readonly ofAccount: Turns;
  private readonly all: Turns;

  /** @param patienceMs see `TurnLimits`. */
  constructor(patienceMs?: number) {
    const limits = { atOnce: 1, ...(patienceMs === undefined ? {} : { patienceMs }) };
    this.ofAccount = new Turns(limits);
    this.all = new Turns(limits);
  }

  /** The amount of work that has not started. */
  get waiting(): number {
    return this.ofAccount.waiting + this.all.waiting;
  }

  /** Rejects with the errors of `Turns.run`. */
  run<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    return this.ofAccount.run(accountId, () => this.all.run('all', work));
  }
}
