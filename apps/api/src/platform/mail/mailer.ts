import { createTransport } from 'nodemailer';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  /** Hands the mail to the mail server. Throws `MailRefusedError` where trying again is useless, anything else where it is not. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** The mail server will never take this mail: there is no such mailbox, or it refuses us (SMTP 5xx after RCPT TO). */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError';
}

interface MailerConfig {
  readonly smtpUrl: string;
  readonly mailFrom: string;
  readonly isProduction: boolean;
}

/** A mail server that does not answer holds a job, not a request: the job is tried again. */
const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_SOCKET_TIMEOUT_MS = 10_000;
const CONNECTION_COUNT_MAX = 2;

function isRefusedForEver(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error) || !('command' in error))
    return false;
  const { responseCode, command } = error;
  return command === 'RCPT TO' && typeof responseCode === 'number' && responseCode >= 500;
}

/** Its words without the recipient: they end in the log and beside the job, where nobody would erase an address. */
function withoutAddress(error: unknown, to: string): Error {
  const { message, code } = error as { message?: unknown; code?: unknown };
  const address = new RegExp(to.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi');
  const words = String(message ?? error).replaceAll(address, '[recipient]');
  return Object.assign(new Error(words), typeof code === 'string' ? { code } : {});
}

/** Mails over SMTP, on a few connections that are kept. In production only over TLS. */
export function createMailer({ smtpUrl, mailFrom, isProduction }: MailerConfig): Mailer {
  const transport = createTransport({
    pool: true,
    url: smtpUrl,
    requireTLS: isProduction && !smtpUrl.startsWith('smtps:'),
    maxConnections: CONNECTION_COUNT_MAX,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: IDLE_SOCKET_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text, html }) {
      try {
        await transport.sendMail({
          from: mailFrom,
          // As an object it is one address, whatever characters stand in it.
          to: { name: '', address: to },
          subject,
          text,
          html,
          // So that no out-of-office answers (RFC 3834).
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
    close: () => transport.close(),
  };
}
