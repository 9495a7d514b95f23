import { SMTPServer } from 'smtp-server';
import { parseMessage } from './message.ts';
import type { MessageStore } from './message-store.ts';

const MESSAGE_BYTES_MAX = 2_000_000;
const RECEIVERS_MAX = 50;
const CLIENTS_MAX = 50;
const IDLE_LIMIT_MS = 60_000;

/** An SMTP server that accepts every mail for everyone: no TLS, sign-in optional and unchecked, loopback only. */
export function createSmtpInbox(store: MessageStore): SMTPServer {
  return new SMTPServer({
    name: 'mailbox',
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    size: MESSAGE_BYTES_MAX,
    rejectOversized: true,
    maxClients: CLIENTS_MAX,
    socketTimeout: IDLE_LIMIT_MS,
    closeTimeout: 1_000,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'anybody' }),
    onRcptTo: (_address, session, done) => {
      done(session.envelope.rcptTo.length < RECEIVERS_MAX ? null : refusal(452, 'Too many'));
    },
    onData: (stream, session, done) => {
      const id = store.nextId();
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => {
        if (!stream.sizeExceeded) chunks.push(chunk);
      });
      stream.once('end', () => {
        // The server library answers 552.
        if (stream.sizeExceeded) {
          done();
          return;
        }
        const receivers = session.envelope.rcptTo.map(({ address }) => address);
        parseMessage(Buffer.concat(chunks), { id, receivers, receivedAt: new Date() })
          .then((message) => store.add(message))
          .then(
            () => done(null, `Kept as ${id}`),
            // With 4xx the sender keeps the mail and retries.
            (error: unknown) =>
              done(refusal(451, error instanceof Error ? error.message : 'Fault')),
          );
      });
    },
  });
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
