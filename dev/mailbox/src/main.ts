import { resolve } from 'node:path';
import type { Phone } from './codes.ts';
import { startMailbox, type Mailbox } from './mailbox.ts';

const PORT_DEFAULT = 8081;
const SMTP_PORT_DEFAULT = 8025;

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function readPort(name: string, fallback: number): number {
  const port = Number(process.env[name] || fallback);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  return fail(`${name} is not a port number from 0 (any free one) to 65535.`);
}

/** Set by the start: `[{"account": "…", "secret": "…"}, …]`. */
function readPhones(): readonly Phone[] {
  return JSON.parse(process.env['MAILBOX_PHONES'] || '[]') as readonly Phone[];
}

function describeFault(error: unknown): string {
  const { code, port, message } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another program: set MAILBOX_PORT or MAILBOX_SMTP_PORT to a free one.`;
  }
  return `The mailbox cannot start: ${message}`;
}

async function main(): Promise<void> {
  if (process.env['NODE_ENV'] === 'production') {
    fail('The mailbox shows every mail to everybody on this machine: never in production.');
  }
  let mailbox: Mailbox;
  try {
    mailbox = await startMailbox({
      dataDir: resolve(process.env['MAILBOX_DATA_DIR'] || './data/mailbox'),
      port: readPort('MAILBOX_PORT', PORT_DEFAULT),
      smtpPort: readPort('MAILBOX_SMTP_PORT', SMTP_PORT_DEFAULT),
      phones: readPhones(),
    });
  } catch (error) {
    fail(describeFault(error));
  }
  const stop = () => void mailbox.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.stdout.write(
    `${JSON.stringify({ ready: true, url: mailbox.url, smtpUrl: mailbox.smtpUrl })}\n`,
  );
}

await main();
