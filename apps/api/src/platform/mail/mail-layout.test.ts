import { describe, expect, it } from 'vitest';
import { brand } from '@athos/brand/brand';
import { formatMailDate, renderMail } from './mail-layout.ts';

const EVIL = `<img src=x onerror="alert(1)">&'`;

describe('a mail', () => {
  const mail = renderMail({
    subject: `Subject ${EVIL}`,
    paragraphs: [`First ${EVIL}`, 'Second'],
    facts: [
      ['Price', `$1 ${EVIL}`],
      ['Total', '$2'],
    ],
    button: { label: `Press ${EVIL}`, url: `https://example.com/?a=1&b="${EVIL}` },
    note: `Note ${EVIL}`,
  });

  it('escapes every value in HTML', () => {
    expect(mail.html).not.toContain('<img');
    expect(mail.html).not.toMatch(/href="[^"]*<[^"]*"/);
    expect(
      mail.html.match(/&lt;img src=x onerror=&quot;alert\(1\)&quot;&gt;&amp;&#39;/g),
    ).toHaveLength(
      // The parts are title, preview, heading, first paragraph, fact, two addresses and the text of one, label and note.
      10,
    );
  });

  it('has the same content as text', () => {
    for (const part of ['First', 'Second', 'Price: $1', 'Total: $2', 'Press', 'Note']) {
      expect(mail.text).toContain(part);
    }
    expect(mail.text).toContain(`https://example.com/?a=1&b="${EVIL}`);
  });

  it('names the brand, how to contact it and why the mail was sent', () => {
    for (const text of [mail.text, mail.html]) {
      expect(text).toContain(brand.supportAddress);
      expect(text).toContain(brand.legalName);
      expect(text).toContain(brand.programmeName);
    }
  });

  it('loads nothing from other hosts and has a dark mode', () => {
    expect(mail.html).not.toMatch(/<(img|link|script|iframe)|url\(/);
    expect(mail.html).toContain('prefers-color-scheme:dark');
    expect(mail.html).toContain('<meta name="color-scheme" content="light dark">');
  });
});

it('dates are written out in UTC', () => {
  // Some versions of ICU put a narrow space before AM and PM.
  const words = formatMailDate(new Date('2026-11-21T14:05:59Z')).replaceAll(/\s/g, ' ');
  expect(words).toBe('November 21, 2026 at 2:05 PM UTC');
});
