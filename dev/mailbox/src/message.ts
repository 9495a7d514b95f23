import { simpleParser, type AddressObject } from 'mailparser';

const LINKS_MAX = 100;

/** A received mail, as it is stored on disk and returned as JSON. */
export interface Message {
  readonly id: string;
  /** The envelope's receivers in lower case, separated by `, `. */
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Web addresses in order of appearance, without duplicates. */
  readonly links: readonly string[];
  readonly receivedAt: string;
}

export interface Envelope {
  readonly id: string;
  readonly receivers: readonly string[];
  readonly receivedAt: Date;
}

/** Rejects if `raw` is not a mail. */
export async function parseMessage(raw: Buffer, envelope: Envelope): Promise<Message> {
  const mail = await simpleParser(raw, { skipImageLinks: true, skipTextToHtml: true });
  const html = mail.html === false ? '' : (mail.html ?? '');
  const text = mail.text ?? '';
  return {
    id: envelope.id,
    to: envelope.receivers.map((address) => address.toLowerCase()).join(', '),
    from: describeAddresses(mail.from),
    subject: mail.subject ?? '',
    text,
    html,
    links: findLinks(html, text),
    receivedAt: envelope.receivedAt.toISOString(),
  };
}

/** Links in the HTML, then those that occur only in the text. */
export function findLinks(html: string, text: string): string[] {
  const hrefs = [...html.matchAll(/\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)].map((match) =>
    decodeEntities(match[1] ?? match[2] ?? ''),
  );
  // A full stop or bracket after an address is punctuation of the sentence.
  const bare = [...text.matchAll(/https?:\/\/[^\s<>"']+/g)].map(([address]) =>
    address.replace(/[.,;:!?)\]]+$/, ''),
  );
  const links = [...hrefs, ...bare].filter((address) => /^https?:\/\//.test(address));
  return [...new Set(links)].slice(0, LINKS_MAX);
}

function decodeEntities(text: string): string {
  return text
    .replaceAll(/&#x([0-9a-f]{1,6});/gi, (_, code: string) => characterOf(parseInt(code, 16)))
    .replaceAll(/&#(\d{1,7});/g, (_, code: string) => characterOf(parseInt(code, 10)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function characterOf(code: number): string {
  return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : '';
}

function describeAddresses(addresses: AddressObject | undefined): string {
  return addresses?.text ?? '';
}
