import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Clock, RetryQueue } from '@app/common';
import { MAIL_ATTEMPTS } from '@app/common/observation';
import { ServiceConfig } from '@app/config';
import type { Transporter } from 'nodemailer';

/** A mail in plain text. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

const MINUTE_MS = 60_000;
/** Of one connection to the mail server: for its greeting, and for each answer. */
const ANSWER_TIMEOUT_MS = 20_000;
/** A link is good for a day, and so is the news of a notice. */
const LIMITS = {
  waiting: 1_000,
  maxAgeMs: 24 * 60 * MINUTE_MS,
  firstDelayMs: 2_000,
  maxDelayMs: 5 * MINUTE_MS,
};
/** How long a stop of the process waits for a mail that is under way. */
const SHUTDOWN_MS = 3_000;

/**
 * Sends mail by the server that `SMTP_URL` names, one at a time, and never within a request: what waits is in the
 * memory of this process, so a stop loses it.
 *
 * Security: an address appears in no log. Mail has no pictures, no links but our own, and nothing that tells of its
 * opening.
 */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly log = new Logger('Mail');
  private transport: Promise<Transporter> | undefined;
  private readonly queue: RetryQueue<Mail>;
  private wasAway = false;

  constructor(
    private readonly config: ServiceConfig,
    clock: Clock,
  ) {
    this.queue = new RetryQueue(
      (mail) => this.try(mail),
      LIMITS,
      clock,
      () => MAIL_ATTEMPTS.tell({ result: 'dropped' }),
    );
  }

  get isOn(): boolean {
    return this.config.smtpUrl !== undefined;
  }

  /** Sends soon. Without `SMTP_URL` it does nothing. */
  send(mail: Mail): void {
    if (this.isOn) this.queue.add(mail);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.queue.stop(SHUTDOWN_MS);
    (await this.transport)?.close();
  }

  /** @returns `false` if it must be tried again. */
  private async try({ to, subject, text }: Mail): Promise<boolean> {
    const headers = { 'Auto-Submitted': 'auto-generated' };
    try {
      // Loaded with the first mail: most services send none.
      this.transport ??= transportTo(this.config.smtpUrl!);
      await (await this.transport).sendMail({ from: this.config.mailFrom, to, subject, text, headers });
      if (this.wasAway) this.log.log('The mail server takes mail again.');
      this.wasAway = false;
      MAIL_ATTEMPTS.tell({ result: 'sent' });
      return true;
    } catch (error) {
      const isRefused = isForGood(error as SmtpError);
      MAIL_ATTEMPTS.tell({ result: isRefused ? 'refused' : 'delayed' });
      if (!isRefused && !this.wasAway)
        this.log.warn(`The mail server does not take mail (${(error as SmtpError).code ?? 'error'}).`);
      this.wasAway ||= !isRefused;
      return isRefused;
    }
  }
}

interface SmtpError extends Error {
  code?: string;
  /** Of SMTP. */
  responseCode?: number;
}

/** Whether the server will never take this mail: its receiver or its content. A refused sign-in is an outage. */
function isForGood({ code, responseCode = 0 }: SmtpError): boolean {
  return responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
}

/**
 * Security: a password is sent over TLS only, unless the server is on this machine. A URL can say otherwise:
 * `?requireTLS=false`. Files and URLs are never attached.
 */
async function transportTo(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
  return createTransport({
    url,
    requireTLS: !isLocal,
    connectionTimeout: ANSWER_TIMEOUT_MS,
    greetingTimeout: ANSWER_TIMEOUT_MS,
    socketTimeout: ANSWER_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
