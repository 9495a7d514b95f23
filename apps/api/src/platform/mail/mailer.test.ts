import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestSmtpServer, type TestSmtpServer } from '../../../test/smtp-server.ts';
import { createMailer, MailRefusedError, type Mailer } from './mailer.ts';

const MAIL = { to: 'ada@example.com', subject: 'Hello', text: 'Plain', html: '<p>Rich</p>' };

let server: TestSmtpServer;
let mailer: Mailer;
beforeEach(async () => {
  server = await startTestSmtpServer();
  mailer = createMailer({
    smtpUrl: server.url,
    mailFrom: 'Rewards <rewards@example.com>',
    isProduction: false,
    isRehearsal: false,
  });
});
afterEach(async () => {
  mailer.close();
  await server.close();
});

describe('the mailer', () => {
  it('sends text and HTML in one mail, marked as auto-generated', async () => {
    await mailer.send(MAIL);
    const [mail = ''] = server.received;
    expect(mail).toContain('From: Rewards <rewards@example.com>');
    expect(mail).toContain('To: ada@example.com');
    expect(mail).toContain('Subject: Hello');
    expect(mail).toContain('Auto-Submitted: auto-generated');
    expect(mail).toMatch(/multipart\/alternative[\s\S]*text\/plain[\s\S]*Plain[\s\S]*text\/html/);
  });

  it('treats an address as one recipient, whatever characters it contains', async () => {
    await mailer.send({ ...MAIL, to: 'a,b@example.com' }).catch(() => undefined);
    await mailer.send({ ...MAIL, subject: 'One\r\nBcc: eve@example.com' });
    const mail = server.received.at(-1) ?? '';
    expect(mail).not.toMatch(/^Bcc:/m);
    expect(mail).toContain('Subject: One Bcc: eve@example.com');
  });

  it('reports a permanently refused recipient, so that nobody retries', async () => {
    server.refuseNextRecipient('550 no such mailbox');
    await expect(mailer.send(MAIL)).rejects.toBeInstanceOf(MailRefusedError);
  });

  it.each(['550', '450'])('keeps the address out of the error message of a %s', async (status) => {
    server.refuseNextRecipient(`${status} <Ada@Example.com>: not now`);
    const failure = (await mailer.send(MAIL).catch((error: unknown) => error)) as Error;
    const words = `${failure.stack} ${(failure.cause as Error | undefined)?.stack}`;
    expect(words).toContain('[recipient]');
    expect(words.toLowerCase()).not.toContain('ada@example.com');
  });

  it.each(['450 mailbox busy', '451 try later'])(
    'throws a retryable error for %s',
    async (answer) => {
      server.refuseNextRecipient(answer);
      const failure = await mailer.send(MAIL).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Error);
      expect(failure).not.toBeInstanceOf(MailRefusedError);
      await mailer.send(MAIL);
      expect(server.received).toHaveLength(1);
    },
  );

  it('throws a retryable error while the server is down', async () => {
    await server.close();
    const failure = await mailer.send(MAIL).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(MailRefusedError);
  });

  it('sends the next mail after a failure to load its library', async () => {
    vi.doMock('nodemailer', () => {
      throw new Error('too many open files');
    });
    await expect(mailer.send(MAIL)).rejects.toThrow();
    vi.doUnmock('nodemailer');
    await mailer.send(MAIL);
    expect(server.received).toHaveLength(1);
  });

  it('sends nothing without TLS in production, but in a rehearsal', async () => {
    const production = { smtpUrl: server.url, mailFrom: 'a@b.c', isProduction: true };
    const strict = createMailer({ ...production, isRehearsal: false });
    await expect(strict.send(MAIL)).rejects.toThrow(/STARTTLS/);
    expect(server.received).toEqual([]);
    strict.close();
    const rehearsal = createMailer({ ...production, isRehearsal: true });
    await rehearsal.send(MAIL);
    expect(server.received).toHaveLength(1);
    rehearsal.close();
  });
});
