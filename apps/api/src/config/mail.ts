import { z } from 'zod';
import { isLive, topic } from './topic.ts';

const LOCAL_MAILBOX = /^smtp:\/\/(127\.|localhost|\[::1\])/;

export const mail = topic(
  {
    smtpUrl: [
      'SMTP_URL',
      z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }),
    ],
    mailFrom: [
      'MAIL_FROM',
      z.string().min(3, 'must be the sender of our mails, such as "Rewards <rewards@example.com>"'),
    ],
  },
  {
    faults: (given) =>
      isLive(given) && LOCAL_MAILBOX.test(given['SMTP_URL'] ?? '')
        ? ['SMTP_URL: the mailbox is never part of a production start']
        : [],
    build: (mail) => mail,
  },
);
