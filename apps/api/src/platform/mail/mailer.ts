import type { Transporter } from 'nodemailer';

export interface Mail {
  /** Stays the same for every attempt to send the mail, so that a mailbox can recognize a duplicate. */
  readonly id?: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  /** Sends the mail to the mail server. Throws `MailRefusedError` if a retry cannot help; any other error may be retried. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** The mail server rejected the recipient permanently (SMTP 5xx after RCPT TO). */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError';
}

interface MailerConfig {
  readonly smtpUrl: string;
  readonly mailFrom: string;
  readonly isProduction: boolean;
  /** Whether the mail server is a rehearsal's mailbox, which does not support TLS. */
  readonly isRehearsal: boolean;
}

/** Mails are sent by jobs, which are retried, so a mail server that hangs delays a job and never a request. */
const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_SOCKET_TIMEOUT_MS = 10_000;
/** For a whole mail, since a server that answers now and then is never idle. */
const SEND_WITHIN_MS = 60_000;
const CONNECTION_COUNT_MAX = 2;

function isRefusedForEver(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error) || !('command' in error))
    return false;
  const { responseCode, command } = error;
  return command === 'RCPT TO' && typeof responseCode === 'number' && responseCode >= 500;
}

/** Removes the recipient's address from the error, since it must not survive an erasure in logs or failed jobs. */
function withoutAddress(error: unknown, to: string): Error {
  const { message, code } = error as { message?: unknown; code?: unknown };
  const address = new RegExp(to.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi');
  const words = String(message ?? error).replaceAll(address, '[recipient]');
  return Object.assign(new Error(words), typeof code === 'string' ? { code } : {});
}

/** Sends mails by SMTP over a few pooled connections, in production only over TLS. */
export function createMailer(config: MailerConfig): Mailer {
  const { smtpUrl, mailFrom, isProduction, isRehearsal } = config;
  let transport: Transporter | undefined;
  // Loaded with the first mail, since it takes 10 MB that the API does not need: only the worker sends mails. The promise is not
  // stored, so that a failure to load is not final.
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer');
    transport ??= createTransport({
      pool: true,
      url: smtpUrl,
      requireTLS: isProduction && !isRehearsal && !smtpUrl.startsWith('smtps:'),
      maxConnections: CONNECTION_COUNT_MAX,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: IDLE_SOCKET_TIMEOUT_MS,
      dnsTimeout: CONNECT_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return transport;
  };
  const [domain = 'localhost'] = /(?<=@)[\w.-]+/.exec(mailFrom) ?? [];
  return {
    async send({ id, to, subject, text, html }) {
      const opened = await open();
      try {
        await opened.sendMail({
          from: mailFrom,
          // Passed as an object, an address is always one recipient, whatever characters it contains.
          to: { name: '', address: to },
          subject,
          text,
          html,
          signal: AbortSignal.timeout(SEND_WITHIN_MS),
          ...(id !== undefined && { messageId: `<${id}@${domain}>` }),
          // Suppresses out-of-office replies (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } catch (error) {
        const cause = withoutAddress(error, to);
        if (isRefusedForEver(error)) {
          throw new MailRefusedError('the mail server refused the recipient', { cause });
        }
        throw cause;
      }
    },
    close: () => transport?.close(),
  };
}
