import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import type { Phone } from './codes.ts';
import { createMailboxServer } from './http-server.ts';
import { MessageStore } from './message-store.ts';
import { createSmtpInbox } from './smtp-inbox.ts';

const LOOPBACK = '127.0.0.1';
const LIMITS = { messagesMax: 500, bytesMax: 50_000_000 };

export interface MailboxOptions {
  readonly dataDir: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly smtpPort: number;
  /** Authenticator apps whose codes are shown. */
  readonly phones?: readonly Phone[];
}

export interface Mailbox {
  /** The address of the page with all mails. */
  readonly url: string;
  readonly smtpUrl: string;
  close(): Promise<void>;
}

/** Rejects if a port is in use, or with the file system's error. */
export async function startMailbox(options: MailboxOptions): Promise<Mailbox> {
  const store = new MessageStore(options.dataDir, LIMITS);
  const http = createMailboxServer(store, options.phones ?? []);
  const smtp = createSmtpInbox(store);
  await listen(http, options.port);
  try {
    await listen(smtp.server, options.smtpPort);
  } catch (error) {
    http.close();
    throw error;
  }
  // Without a listener, a client that hangs up would end the process.
  smtp.on('error', () => {});
  return {
    url: `http://${LOOPBACK}:${portOf(http)}/mailbox`,
    smtpUrl: `smtp://${LOOPBACK}:${portOf(smtp.server)}`,
    close: async () => {
      await new Promise<void>((resolve) => smtp.close(resolve));
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, LOOPBACK);
  // Rejects with the server's error, such as a port in use.
  await once(server, 'listening');
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
