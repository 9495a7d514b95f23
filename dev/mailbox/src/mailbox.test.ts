import { request } from 'node:http';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codesAt } from './codes.ts';
import { startMailbox, type Mailbox } from './mailbox.ts';
import { findLinks, type Message } from './message.ts';
import { MessageStore } from './message-store.ts';

let root: string;
let dataDir: string;
let mailbox: Mailbox;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'athos-mailbox-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(async () => {
  dataDir = mkdtempSync(join(root, 'data-'));
  mailbox = await startMailbox({ dataDir, port: 0, smtpPort: 0 });
});
afterEach(async () => {
  await mailbox.close();
});

interface Draft {
  readonly to?: string;
  readonly subject?: string;
  readonly text?: string;
  readonly html?: string;
}

async function deliver(draft: Draft = {}, box = mailbox): Promise<void> {
  const transport = createTransport(box.smtpUrl);
  await transport.sendMail({
    from: 'Rewards <no-reply@rewards.example>',
    to: 'ada@example.com',
    subject: 'Hello',
    text: 'Hello Ada',
    ...draft,
  });
  transport.close();
}

async function list(query = '', box = mailbox): Promise<Message[]> {
  const response = await fetch(`${box.url}/api/messages${query}`);
  expect(response.headers.get('content-type')).toBe('application/json');
  return (await response.json()) as Message[];
}

describe('the codes of staff', () => {
  const phone = { account: 'owner@example.com', secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' };

  it('are those of RFC 6238, with the end of their step', () => {
    expect(codesAt([phone], 1_111_111_109_000)).toEqual([
      { account: phone.account, code: '081804', endsAt: '2005-03-18T01:58:30.000Z' },
    ]);
  });

  it('stand on a page of their own, which comes again when they change', async () => {
    const box = await startMailbox({
      dataDir: mkdtempSync(join(root, 'phones-')),
      port: 0,
      smtpPort: 0,
      phones: [phone],
    });
    const codes = (await (await fetch(`${box.url}/api/codes`)).json()) as { code: string }[];
    const page = await (await fetch(`${box.url}/codes`)).text();
    const list = await (await fetch(box.url)).text();
    await box.close();
    expect(codes).toMatchObject([
      { account: phone.account, code: expect.stringMatching(/^\d{6}$/) },
    ]);
    expect(page).toContain('owner@example.com');
    expect(page).toMatch(/<meta http-equiv="refresh" content="\d+">/);
    expect(list).toContain('/mailbox/codes');
    expect(await (await fetch(mailbox.url)).text()).not.toContain('/mailbox/codes');
  });
});

describe('mailbox', () => {
  it('[D-109] returns a mail with receiver, subject, text, html and links', async () => {
    await deliver({
      subject: 'Verify your address ✓',
      text: 'Open http://127.0.0.1:8080/auth/verify/abc.',
      html: '<p>Open <a href="http://127.0.0.1:8080/auth/verify/abc?a=1&amp;b=2">this</a></p>',
    });
    const [message] = await list();
    expect(message).toMatchObject({
      to: 'ada@example.com',
      from: '"Rewards" <no-reply@rewards.example>',
      subject: 'Verify your address ✓',
      text: expect.stringContaining('Open http://127.0.0.1:8080/auth/verify/abc.'),
      html: expect.stringContaining('<a href='),
      links: [
        'http://127.0.0.1:8080/auth/verify/abc?a=1&b=2',
        'http://127.0.0.1:8080/auth/verify/abc',
      ],
    });
    expect(message?.id).toMatch(/^\d+$/);
  });

  it('lists the newest first, and filters by receiver regardless of case', async () => {
    await deliver({ subject: 'first' });
    await deliver({ subject: 'second', to: 'Grace+1@Example.com' });
    await deliver({ subject: 'third' });
    expect((await list()).map(({ subject }) => subject)).toEqual(['third', 'second', 'first']);
    expect((await list('?limit=2')).map(({ subject }) => subject)).toEqual(['third', 'second']);
    for (const to of ['grace%2B1@example.com', 'GRACE+1@example.com']) {
      expect((await list(`?to=${to}`)).map(({ subject }) => subject)).toEqual(['second']);
    }
    expect(await list('?to=race')).toEqual([]);
  });

  it('keeps mails over a restart, skips broken files and continues the numbering', async () => {
    await deliver({ subject: 'kept' });
    await mailbox.close();
    writeFileSync(join(dataDir, '0000000009.json'), '{"id":');
    mailbox = await startMailbox({ dataDir, port: 0, smtpPort: 0 });
    await deliver({ subject: 'after' });
    const messages = await list();
    expect(messages.map(({ subject }) => subject)).toEqual(['after', 'kept']);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(2);
  });

  it('refuses a mail above 2 MB and keeps working', async () => {
    await expect(deliver({ text: 'x'.repeat(2_100_000) })).rejects.toThrow(/552|size/i);
    await deliver({ subject: 'small' });
    expect((await list()).map(({ subject }) => subject)).toEqual(['small']);
  });

  it('shows a mail without running any of its code', async () => {
    await deliver({
      subject: '<script>alert(1)</script>',
      text: '<b>text</b>',
      html: '<img src="x" onerror="alert(2)"><script>alert(3)</script>',
    });
    const [message] = await list();
    const page = await fetch(`${mailbox.url}/messages/${message?.id}`);
    const markup = await page.text();
    expect(markup).not.toContain('<script>alert');
    expect(markup).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(markup).toMatch(
      /<iframe[^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"><\/iframe>/,
    );
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");

    const frame = await fetch(`${mailbox.url}/messages/${message?.id}/html`);
    const policy = frame.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'/,
    );
    expect(policy).not.toMatch(/script-src|allow-scripts|allow-same-origin/);
    expect(await frame.text()).toContain('onerror');
  });

  it('[D-109] lists mails on its page, escaped, and says so if there are none', async () => {
    expect(await (await fetch(mailbox.url)).text()).toContain('No mail yet');
    await deliver({ subject: 'Tom & "Jerry"' });
    const markup = await (await fetch(`${mailbox.url}/`)).text();
    expect(markup).toContain('Tom &amp; &quot;Jerry&quot;');
    const filtered = await (await fetch(`${mailbox.url}?to="><script>`)).text();
    expect(filtered).toContain('No mail for &quot;&gt;&lt;script&gt; yet');
  });

  it('answers 404 for unknown mails and 405 for writes', async () => {
    for (const path of ['/messages/0000000001', '/messages/../../etc/passwd', '/nothing']) {
      expect((await fetch(`${mailbox.url}${path}`)).status).toBe(404);
    }
    expect((await fetch(mailbox.url, { method: 'POST', body: 'x' })).status).toBe(405);
  });

  it('refuses requests under a foreign host name', async () => {
    const status = await new Promise((resolve, reject) => {
      request(mailbox.url, { headers: { host: 'evil.example' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .once('error', reject)
        .end();
    });
    expect(status).toBe(421);
  });

  it('rejects with the name of a port that is in use', async () => {
    const { port } = new URL(mailbox.url);
    await expect(
      startMailbox({ dataDir: mkdtempSync(join(root, 'data-')), port: Number(port), smtpPort: 0 }),
    ).rejects.toMatchObject({ code: 'EADDRINUSE', port: Number(port) });
  });
});

describe('MessageStore', () => {
  const message = (id: string): Message => ({
    id,
    to: 'ada@example.com',
    from: '',
    subject: `number ${id}`,
    text: 'x'.repeat(100),
    html: '',
    links: [],
    receivedAt: '2026-01-01T00:00:00.000Z',
  });

  it.each([
    ['a count', { messagesMax: 3, bytesMax: 1_000_000 }],
    ['a size', { messagesMax: 100, bytesMax: 900 }],
  ])('forgets the oldest above %s', (_, limits) => {
    const dir = mkdtempSync(join(root, 'store-'));
    const store = new MessageStore(dir, limits);
    for (let count = 1; count <= 5; count++) store.add(message(store.nextId()));
    const kept = store.list(undefined, 100).map(({ id }) => Number(id));
    expect(kept).toEqual([5, 4, 3]);
    expect(readdirSync(dir)).toHaveLength(3);
  });
});

describe('findLinks', () => {
  it('finds only web addresses, each once, without the punctuation around them', () => {
    const html = `<a href='https://a.example/?x=1&#38;y=2'>a</a> <a href="javascript:alert(1)">b</a> <a href="mailto:x@y.z">c</a>`;
    const text = 'See (https://b.example/path), https://a.example/?x=1&y=2 or ftp://c.example.';
    expect(findLinks(html, text)).toEqual(['https://a.example/?x=1&y=2', 'https://b.example/path']);
  });
});
