import { setTimeout as pause } from 'node:timers/promises';
import { addresses } from './addresses.ts';

interface Mail {
  readonly id: string;
  readonly subject: string;
  readonly text: string;
  readonly links: readonly string[];
}

const WAIT_LIMIT_MS = 20_000;
const LOOK_EVERY_MS = 100;

/** Waits for the newest mail to `to` whose subject matches. */
export async function waitForMail(to: string, subject: RegExp): Promise<Mail> {
  const url = `${addresses.mailbox}/api/messages?to=${encodeURIComponent(to)}`;
  for (const deadline = performance.now() + WAIT_LIMIT_MS; performance.now() < deadline;) {
    const mails = (await (await fetch(url)).json()) as readonly Mail[];
    const found = mails.find((mail) => subject.test(mail.subject));
    if (found !== undefined) return found;
    await pause(LOOK_EVERY_MS);
  }
  throw new Error(`No mail ${subject.source} for ${to}`);
}

/** The link in a mail that leads to `path`. */
export function linkTo({ links }: Mail, path: string): string {
  const link = links.find((address) => new URL(address).pathname === path);
  if (link === undefined) throw new Error(`No link to ${path} among ${links.join(' ')}`);
  return link;
}
