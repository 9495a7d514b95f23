import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { codesAt, type Phone } from './codes.ts';
import type { MessageStore } from './message-store.ts';
import {
  renderCodes,
  renderList,
  renderMessage,
  renderMessageHtml,
  renderNotFound,
} from './pages.ts';

const LIST_COUNT_DEFAULT = 100;
const LIST_COUNT_MAX = 500;

// Against DNS rebinding: another site's page must not read reset links through a name that it points to this machine.
const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/** A mail may style itself and nothing else: no scripts, no requests, no forms, and its own opaque origin. */
const MAIL_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

const HTML = 'text/html; charset=utf-8';
const STYLE = readFileSync(join(import.meta.dirname, 'style.css'));
const LIVE = readFileSync(join(import.meta.dirname, 'live.js'));

interface Answer {
  readonly status?: number;
  readonly type: string;
  readonly body: string | Buffer;
  readonly policy?: string;
}

/** The pages below `/mailbox` and their JSON. Read-only. */
export function createMailboxServer(store: MessageStore, phones: readonly Phone[]): Server {
  return createServer((request, response) => {
    send(response, answer(request, store, phones), request.method === 'HEAD');
  });
}

function answer(request: IncomingMessage, store: MessageStore, phones: readonly Phone[]): Answer {
  if (!LOCAL_HOST.test(request.headers.host ?? '')) {
    return {
      status: 421,
      type: 'text/plain',
      body: 'This mailbox answers on this machine only.\n',
    };
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { status: 405, type: 'text/plain', body: 'This mailbox is read only.\n' };
  }
  const url = new URL(request.url ?? '/', 'http://localhost');
  const path = url.pathname.replace(/(.)\/$/, '$1');
  // An unencoded `+` arrives as a space, which no address contains.
  const receiver = url.searchParams.get('to')?.trim().replaceAll(' ', '+') || undefined;
  switch (path) {
    case '/mailbox':
      return page(renderList(store.list(receiver, LIST_COUNT_MAX), receiver, phones.length > 0));
    case '/mailbox/codes':
      return page(renderCodes(codesAt(phones, Date.now())));
    case '/mailbox/api/codes':
      return { type: 'application/json', body: JSON.stringify(codesAt(phones, Date.now())) };
    case '/mailbox/api/messages': {
      const messages = store.list(receiver, readLimit(url));
      return { type: 'application/json', body: JSON.stringify(messages) };
    }
    case '/mailbox/style.css':
      return { type: 'text/css', body: STYLE };
    case '/mailbox/live.js':
      return { type: 'text/javascript', body: LIVE };
    case '/healthz':
      return { type: 'application/json', body: '{"status":"ok"}' };
    default:
      return answerMessage(path, store);
  }
}

function answerMessage(path: string, store: MessageStore): Answer {
  const [, id, part] = /^\/mailbox\/messages\/(\d{10})(\/html)?$/.exec(path) ?? [];
  const message = id === undefined ? undefined : store.get(id);
  if (message === undefined) return { ...page(renderNotFound()), status: 404 };
  if (part === undefined) return page(renderMessage(message));
  return { type: HTML, body: renderMessageHtml(message), policy: MAIL_POLICY };
}

function page(body: string): Answer {
  return { type: HTML, body, policy: PAGE_POLICY };
}

function readLimit(url: URL): number {
  const limit = Number(url.searchParams.get('limit') ?? LIST_COUNT_DEFAULT);
  return Number.isInteger(limit) && limit > 0
    ? Math.min(limit, LIST_COUNT_MAX)
    : LIST_COUNT_DEFAULT;
}

function send(response: ServerResponse, answered: Answer, isHead: boolean): void {
  response.writeHead(answered.status ?? 200, {
    'content-type': answered.type,
    'content-length': Buffer.byteLength(answered.body),
    'content-security-policy': answered.policy ?? "default-src 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  });
  response.end(isHead ? undefined : answered.body);
}
