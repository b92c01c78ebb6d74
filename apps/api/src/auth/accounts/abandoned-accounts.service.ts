import { Injectable } from '@nestjs/common';
import { ServiceConfig } from '@app/config';
import { Database, type Executor, Housekeeping } from '@app/database';
import { NIL } from 'uuid';
import { NoticesService } from '../email/notices.service';
import { AbandonedAccountsRepository, type ErasedAccount } from './abandoned-accounts.repository';
import { AccountsService } from './accounts.service';

/** How many accounts a round of housekeeping looks at: a round must stay short, and the next one goes on. */
const SEARCHED = 1_000;
const DUE = 100;

/** Removes what nobody uses or wants: unconfirmed and unused accounts, and those whose erasure is due. */
@Injectable()
export class AbandonedAccountsService {
  private searchedTo: string = NIL;

  constructor(
    private readonly database: Database,
    private readonly abandoned: AbandonedAccountsRepository,
    private readonly accounts: AccountsService,
    private readonly notices: NoticesService,
    private readonly config: ServiceConfig,
    housekeeping: Housekeeping,
  ) {
    housekeeping.add(() => this.eraseDue());
    if (config.unusedAccountDays > 0) housekeeping.add(() => this.eraseUnused());
  }

  /**
   * Frees an address that an account has held for a day without a confirmation or a record. Only where addresses
   * can be confirmed.
   *
   * Security: the same statements, whether there is such an account or not.
   */
  async giveWay(transaction: Executor, email: string): Promise<void> {
    if (this.config.smtpUrl === undefined) return;
    const id = await this.accounts.idByEmail(email);
    await this.accounts.eraseBy(transaction, id, true, () =>
      this.abandoned.deleteUnverified(transaction, id),
    );
  }

  /** Erases the accounts whose owners wanted it some days ago and have not come back. */
  async eraseDue(): Promise<void> {
    for (const id of await this.abandoned.findDue(DUE)) {
      const erased = await this.erase(id, (transaction) => this.abandoned.deleteDue(transaction, id));
      if (erased) this.notices.tell(erased, 'erased');
    }
  }

  /** Erases the unused ones among some old accounts. The next call goes on with others. */
  async eraseUnused(): Promise<void> {
    const days = this.config.unusedAccountDays;
    const old = await this.abandoned.findOld(this.searchedTo, days, SEARCHED);
    this.searchedTo = old.length < SEARCHED ? NIL : old[old.length - 1];
    for (const id of old) {
      if (!(await this.abandoned.isUnused(id, days))) continue;
      await this.erase(id, (transaction) => this.abandoned.deleteUnused(transaction, id, days));
    }
  }

  /** Who wanted it was asked about shared profiles, and has had time to come back. */
  private erase(
    id: string,
    remove: (transaction: Executor) => Promise<ErasedAccount | undefined>,
  ): Promise<ErasedAccount | undefined> {
    return this.database.transaction((transaction) =>
      this.accounts.eraseBy(transaction, id, true, () => remove(transaction)),
    );
  }
}
