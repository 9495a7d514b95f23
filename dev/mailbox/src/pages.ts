import type { ShownCode } from './codes.ts';
import type { Message } from './message.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function renderList(
  messages: readonly Message[],
  receiver: string | undefined,
  hasPhones: boolean,
): string {
  const rows = messages.map(renderRow).join('');
  const isFiltered = receiver !== undefined;
  const empty = isFiltered ? `No mail for ${escape(receiver)} yet` : 'No mail yet';
  const body = rows
    ? `<ol class="list">${rows}</ol>`
    : `<div class="empty"><p class="empty-title">${empty}</p><p>It appears here the moment it arrives.</p></div>`;
  const filter = `<form class="filter" action="/mailbox" method="get" role="search">
    <input name="to" type="search" value="${escape(receiver ?? '')}" placeholder="Filter by receiver" aria-label="Filter by receiver" autocomplete="off">
  </form>`;
  return renderPage(
    isFiltered ? `Mailbox: ${receiver}` : 'Mailbox',
    `<header><h1><a href="/mailbox">Mailbox</a></h1>${hasPhones ? '<a href="/mailbox/codes">Codes of staff</a>' : ''}${filter}</header><main>${body}</main>
    <script src="/mailbox/live.js" data-newest="${messages[0]?.id ?? ''}" data-receiver="${escape(receiver ?? '')}" defer></script>`,
  );
}

export function renderMessage(message: Message): string {
  const links = message.links
    .map((link) => `<li><a href="${escape(link)}" rel="noreferrer">${escape(link)}</a></li>`)
    .join('');
  // The frame has its own origin and runs no code. Only its links work, each in a new tab.
  const content = message.html
    ? `<iframe class="body" title="Content of the mail" src="/mailbox/messages/${message.id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`
    : '';
  return renderPage(
    message.subject || 'No subject',
    `<header><h1><a href="/mailbox">Mailbox</a></h1></header>
    <main class="mail">
      <p><a class="back" href="/mailbox">← All mail</a></p>
      <h2>${escape(message.subject || 'No subject')}</h2>
      <dl>
        <dt>From</dt><dd>${escape(message.from)}</dd>
        <dt>To</dt><dd>${renderReceivers(message)}</dd>
        <dt>Received</dt><dd>${renderTime(message)}</dd>
      </dl>
      ${links ? `<section><h3>Links</h3><ul class="links">${links}</ul></section>` : ''}
      ${content}
      <section><h3>Text</h3><pre>${escape(message.text)}</pre></section>
    </main>`,
  );
}

/** The mail's HTML for the frame. `target` makes links open outside the frame. */
export function renderMessageHtml(message: Message): string {
  return `<base target="_blank">${message.html}`;
}

/** The codes of authenticator apps. The page reloads when they change. */
export function renderCodes(codes: readonly ShownCode[]): string {
  const leftMs = Math.max(0, ...codes.map(({ endsAt }) => Date.parse(endsAt) - Date.now()));
  const rows = codes
    .map(
      ({ account, code }) =>
        `<dt>${escape(account)}</dt><dd><output>${code.slice(0, 3)} ${code.slice(3)}</output></dd>`,
    )
    .join('');
  return renderPage(
    'Codes of staff',
    `<header><h1><a href="/mailbox">Mailbox</a></h1></header>
    <main class="mail">
      <p><a class="back" href="/mailbox">← All mail</a></p>
      <h2>Codes of staff</h2>
      <p>What the telephones of the demo's staff show now. Each code is accepted once.</p>
      <dl>${rows}</dl>
    </main>`,
    `<meta http-equiv="refresh" content="${Math.ceil(leftMs / 1000)}">`,
  );
}

export function renderNotFound(): string {
  return renderPage(
    'Not found',
    `<header><h1><a href="/mailbox">Mailbox</a></h1></header>
    <main><div class="empty"><p class="empty-title">There is no such mail</p><p><a href="/mailbox">All mail</a></p></div></main>`,
  );
}

function renderRow(message: Message): string {
  return `<li><a class="row" href="/mailbox/messages/${message.id}">
    <span class="subject">${escape(message.subject || 'No subject')}</span>
    <span class="time">${renderTime(message)}</span>
    <span class="to">${escape(message.to)}</span>
    <span class="preview">${escape(message.text.replaceAll(/\s+/g, ' ').slice(0, 140))}</span>
  </a></li>`;
}

function renderReceivers({ to }: Message): string {
  return to
    .split(', ')
    .map(
      (address) =>
        `<a href="/mailbox?to=${escape(encodeURIComponent(address))}">${escape(address)}</a>`,
    )
    .join(', ');
}

function renderTime({ receivedAt }: Message): string {
  return `<time datetime="${receivedAt}">${receivedAt.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

function renderPage(title: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escape(title)}</title>
${head}
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/mailbox/style.css">
</head>
<body>${body}</body>
</html>`;
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
