import { Injectable } from '@nestjs/common';
import { ServiceConfig } from '@app/config';
import type { FoundAccount } from '../accounts/accounts.repository';
import type { AccountEntity } from '../accounts/entities/account.entity';
import { MAIL_TEXTS, type MailTexts, type NoticeKind } from './mail-texts.rule';
import { Mailer } from './mailer.service';

/**
 * Mail to the owner of an account: the link by which an address is confirmed, and notices of what happened to the
 * account. Call it after the transaction: sending neither delays nor fails a request.
 *
 * Security: a notice goes to a confirmed address only. Another one may be a stranger's.
 */
@Injectable()
export class NoticesService {
  private readonly texts: MailTexts;
  private readonly page: string | undefined;

  constructor(
    private readonly mailer: Mailer,
    { mailLanguage, webOrigin }: ServiceConfig,
  ) {
    this.texts = MAIL_TEXTS[mailLanguage];
    this.page = webOrigin;
  }

  get isOn(): boolean {
    return this.mailer.isOn;
  }

  /** @param email as stored. @param token of the link. */
  askToConfirm(email: string, token: string): void {
    // After the `#`, so that it is in no log of a server.
    this.send(email, this.texts.confirm, `${this.page}/app/confirm#${token}`);
  }

  /** Tells the owner. @param account as it was before a change of its email. */
  tell(account: Pick<AccountEntity, 'email' | 'email_verified'>, kind: NoticeKind): void {
    if (account.email_verified) this.send(account.email, this.texts.notices[kind], `${this.page}/`);
  }

  /** Tells the owner of a sign-in that stopped an erasure, or that came from an unknown device at an unknown address. */
  tellOfSignIn(account: FoundAccount): void {
    if (account.erase_at !== null) this.tell(account, 'erasure_stopped');
    else if (!account.is_known_address && !account.device_hash) this.tell(account, 'new_device');
  }

  private send(to: string, { subject, lines }: { subject: string; lines: string[] }, link: string): void {
    if (!this.mailer.isOn) return;
    this.mailer.send({ to, subject, text: [...lines, link, this.texts.end].join('\n\n') + '\n' });
  }
}
