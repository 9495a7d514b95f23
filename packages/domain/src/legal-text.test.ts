import { describe, expect, it } from 'vitest';
import { legalFault, readLegalText, writeLegalText } from './legal-text.ts';

const TEXT = `These terms are between you
and us.

## Your account

You may open one.

It is yours alone.
## Ending
You can delete it.`;

const READ = {
  intro: 'These terms are between you and us.',
  sections: [
    {
      heading: 'Your account',
      paragraphs: ['You may open one.', 'It is yours alone. ## Ending You can delete it.'],
    },
  ],
};

describe('a legal text', () => {
  it('has an introduction, headings and paragraphs', () => {
    const text = TEXT.replace('alone.\n## Ending', 'alone.\n\n## Ending');
    expect(readLegalText(text)).toEqual({
      intro: READ.intro,
      sections: [
        { heading: 'Your account', paragraphs: ['You may open one.', 'It is yours alone.'] },
        { heading: 'Ending', paragraphs: ['You can delete it.'] },
      ],
    });
  });

  it('takes a heading for one only after an empty line', () => {
    expect(readLegalText(TEXT)).toEqual(READ);
  });

  it('keeps everything else as it was written', () => {
    const body = '<script>alert(1)</script> [link](https://evil.example) **bold**';
    expect(readLegalText(body).intro).toBe(body);
  });

  it('is read as it was written', () => {
    const content = readLegalText(TEXT);
    expect(readLegalText(writeLegalText(content))).toEqual(content);
  });

  it.each([
    ['', 'no_intro'],
    [' \n\n ', 'no_intro'],
    ['## Only a heading\n\nA paragraph.', 'no_intro'],
    ['Only an introduction.', 'no_sections'],
    ['Introduction.\n\n## Empty\n\n## Full\n\nA paragraph.', 'empty_section'],
    [`Introduction.\n\n## ${'a'.repeat(121)}\n\nA paragraph.`, 'long_heading'],
    ['Introduction.\n\n## Heading\n\nA paragraph.', undefined],
    ['Introduction.\r\n\r\n## Heading\r\nA paragraph.', undefined],
  ])('of %j has the fault %s', (body, fault) => {
    expect(legalFault(body)).toBe(fault);
  });
});
