import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body: string;
}

/** Sends a complete response. No response of the sandbox may be cached. */
export function send(response: ServerResponse, reply: Reply): void {
  const body = Buffer.from(reply.body);
  response.writeHead(reply.status, {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...reply.headers,
    'Content-Length': body.length,
  });
  response.end(body);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  const text = `${JSON.stringify(body, null, 2)}\n`;
  send(response, {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: text,
  });
}

export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

const pageBytesMax = 256 * 1024;

/** Reads the whole body as text. Throws BodyTooLarge above 256 kB. */
export async function readBody(request: IncomingMessage): Promise<string> {
  return (await readBytes(request, pageBytesMax)).toString('utf8');
}

/**
 * Reads the whole body. Throws BodyTooLarge above the limit, after the rest has been read and dropped: unread bytes would
 * block the next request on the same connection.
 */
export async function readBytes(
  request: IncomingMessage,
  bytesMax: number,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size <= bytesMax) chunks.push(bytes);
  }
  if (size > bytesMax) throw new BodyTooLarge();
  return Buffer.concat(chunks);
}

export function escapeHtml(text: string): string {
  const names: Record<string, string> = {
    '&': 'amp',
    '<': 'lt',
    '>': 'gt',
    '"': 'quot',
    "'": '#39',
  };
  return text.replaceAll(/[&<>"']/g, (letter) => `&${names[letter]};`);
}

// Wallets on this machine, in a browser or a native shell, may embed these pages in a frame.
const framing =
  'frame-ancestors http://127.0.0.1:* http://localhost:* https://localhost capacitor://localhost ionic://localhost';

/** The content security policy of the sandbox's own pages: its own scripts and styles only. */
export function pagePolicy(formAction: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    `form-action ${formAction}`,
    framing,
  ].join('; ');
}
