import { SMTPServer } from 'smtp-server';
import { until } from './until';

/** A mail as a mail server gets it. */
export interface ReceivedMail {
  to: string;
  from: string;
  /** Lower-case names. */
  headers: Record<string, string>;
  /** Decoded. */
  text: string;
}

export interface Mailbox {
  /** `SMTP_URL` of a service that uses it. */
  url: string;
  received: ReceivedMail[];
  /** The mails to an address so far, and at least so many. */
  mailsTo(email: string, atLeast?: number): Promise<ReceivedMail[]>;
  /** Every receiver whose address begins so is refused for good. */
  refuse(prefix: string): void;
  /** Goes away. Its port stays free for {@link Mailbox.open}. */
  close(): Promise<void>;
  open(): Promise<void>;
}

/** A real SMTP server on a free port of loopback, which wants a password. */
export async function openMailbox(): Promise<Mailbox> {
  const received: ReceivedMail[] = [];
  const refused: string[] = [];
  let port = 0;
  let server: SMTPServer | undefined;
  const open = async () => {
    const next = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      closeTimeout: 100,
      onAuth: ({ username, password }, _session, done) =>
        username === 'records' && password === 'a password'
          ? done(null, { user: username })
          : done(new Error('wrong')),
      onRcptTo: ({ address }, _session, done) =>
        refused.some((prefix) => address.startsWith(prefix))
          ? done(Object.assign(new Error('No such mailbox'), { responseCode: 550 }))
          : done(),
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const to = session.envelope.rcptTo.map(({ address }) => address).join();
          const { address: from } = session.envelope.mailFrom as { address: string };
          received.push({ to, from, ...read(Buffer.concat(chunks).toString('latin1')) });
          done();
        });
      },
    });
    next.on('error', () => undefined);
    await new Promise<void>((resolve) => next.listen(port, '127.0.0.1', resolve));
    ({ port } = next.server.address() as { port: number });
    server = next;
  };
  await open();
  return {
    url: `smtp://records:${encodeURIComponent('a password')}@127.0.0.1:${port}`,
    received,
    mailsTo: async (email, atLeast = 1) => {
      const to = () => received.filter((mail) => mail.to === email);
      await until(`${atLeast} mails to an address`, () => Promise.resolve(to().length >= atLeast));
      return to();
    },
    refuse: (prefix) => void refused.push(prefix),
    close: async () => {
      const closing = server;
      server = undefined;
      if (closing) await new Promise<void>((resolve) => closing.close(resolve));
    },
    open,
  };
}

function read(source: string): Pick<ReceivedMail, 'headers' | 'text'> {
  const end = source.indexOf('\r\n\r\n');
  const lines = source.slice(0, end).replace(/\r\n[ \t]+/g, ' ');
  const headers = Object.fromEntries(
    lines.split('\r\n').map((line) => {
      const [name, ...rest] = line.split(': ');
      return [name.toLowerCase(), rest.join(': ')];
    }),
  ) as Record<string, string>;
  return { headers, text: decoded(source.slice(end + 4), headers['content-transfer-encoding']) };
}

/** Source: RFC 2045 section 6.7; RFC 3676 for lines that end with a blank. */
function decoded(body: string, coding: string): string {
  if (coding === 'base64') return Buffer.from(body, 'base64').toString();
  if (coding !== 'quoted-printable') return body.replace(/ \r\n/g, ' ').replace(/\r\n/g, '\n');
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString().replace(/\r\n/g, '\n');
}
