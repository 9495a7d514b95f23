// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { InlineMarkdown, Markdown, plainText } from './markdown.tsx';

afterEach(cleanup);

const shown = (text: string) => render(<Markdown text={text} />).container;

describe('note', () => {
  it('shows paragraphs, emphasis, lists and code', () => {
    const note = shown('Two *nights* of **sound**.\n\n- one\n- two\n\n1. first\n\n`code`');
    expect(note.querySelector('em')?.textContent).toBe('nights');
    expect(note.querySelector('strong')?.textContent).toBe('sound');
    expect(note.querySelectorAll('ul > li')).toHaveLength(2);
    expect(note.querySelectorAll('ol > li')).toHaveLength(1);
    expect(note.querySelector('code')?.textContent).toBe('code');
  });

  it("starts its headings below the screen's title", () => {
    shown('# Doors\n\n## Late entry');
    expect(screen.getByRole('heading', { level: 2, name: 'Doors' })).toBeDefined();
    expect(screen.getByRole('heading', { level: 3, name: 'Late entry' })).toBeDefined();
  });

  it.each([
    '<img src=x onerror="alert(1)">',
    'Hello <script>alert(1)</script> there',
    '<iframe src="https://evil.example"></iframe>',
    '<a href="javascript:alert(1)">press</a>',
    '<svg onload=alert(1)>\n\ntext',
  ])('creates no element from %s', (text) => {
    const note = shown(text);
    expect(note.querySelector('img, script, iframe, a, svg')).toBeNull();
    expect(note.textContent).toContain('<');
  });

  it.each([
    '[press](javascript:alert(1))',
    '[press](JaVaScRiPt:alert(1))',
    '[press](java\nscript:alert(1))',
    '[press](data:text/html,<script>alert(1)</script>)',
    '[press](vbscript:x)',
    '[press](&#106;avascript:alert(1))',
    '[press](/app/cart)',
    '[press](//evil.example)',
    '[press][1]\n\n[1]: javascript:alert(1)',
  ])('creates no link from %s', (text) => {
    expect(shown(text).querySelector('a')).toBeNull();
  });

  it.each([
    ['[the hall](https://hall.example/map)', 'https://hall.example/map'],
    ['[the hall](http://hall.example)', 'http://hall.example/'],
    ['[write](mailto:crew@hall.example)', 'mailto:crew@hall.example'],
    ['<https://hall.example/auto>', 'https://hall.example/auto'],
  ])('marks %s as an external link', (text, address) => {
    shown(text);
    const link = screen.getByRole('link', { name: /\(Opens in a new window\)$/ });
    expect(link.getAttribute('href')).toBe(address);
    expect(link.getAttribute('target')).toBe('_blank');
    expect(link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    expect(link.querySelector('svg')).not.toBeNull();
  });

  it('shows a picture’s alternative text and fetches nothing', () => {
    const note = shown('![A stage](https://elsewhere.example/pixel.gif)');
    expect(note.querySelector('img')).toBeNull();
    expect(note.textContent).toBe('A stage');
  });

  it('handles deeply nested text', () => {
    expect(shown('>'.repeat(400) + ' deep').textContent).toContain('deep');
  });
});

describe('title', () => {
  it('shows emphasis without a block, and links as plain text', () => {
    const { container } = render(
      <h1>
        <InlineMarkdown text="**Vinyl** _night_ [map](https://hall.example)" />
      </h1>,
    );
    expect(container.innerHTML).not.toContain('<p>');
    expect(container.querySelector('strong')?.textContent).toBe('Vinyl');
    expect(container.querySelector('a')).toBeNull();
    expect(screen.getByRole('heading', { name: 'Vinyl night map' })).toBeDefined();
  });

  it.each([
    ['**Vinyl** _night_', 'Vinyl night'],
    ['  A [map](https://hall.example) `x` ', 'A map x'],
    ['# Not a heading', '# Not a heading'],
    ['5 \\* 3 & more', '5 * 3 & more'],
    ['plain', 'plain'],
  ])('strips the markup of %s', (markdown, words) => {
    expect(plainText(markdown)).toBe(words);
  });
});
