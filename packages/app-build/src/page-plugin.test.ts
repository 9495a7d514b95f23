import type { Rolldown } from 'vite';
import { describe, expect, it } from 'vitest';
import { chunkFiles, pagePlugin } from './page-plugin.ts';

const chunk = (fileName: string, moduleIds: string[], imports: string[] = []) => ({
  type: 'chunk' as const,
  fileName,
  moduleIds,
  imports,
});
const bundle = {
  'a.js': chunk('a.js', ['/src/screen.tsx', '/src/part.ts'], ['b.js']),
  'b.js': chunk('b.js', ['/src/shared.ts'], ['a.js']),
  'c.js': chunk('c.js', ['/src/other.ts']),
} as unknown as Rolldown.OutputBundle;

/** Returns the page as the build writes it. */
function fill(html: string, parts: Partial<Parameters<typeof pagePlugin>[0]> = {}): string {
  const plugin = pagePlugin({ base: '/app/', slots: {}, files: {}, ...parts });
  const transform = plugin.transformIndexHtml as (html: string, context: object) => string;
  return transform(html, { bundle });
}

describe('a screen’s files', () => {
  it('are its chunk and the chunk’s static imports', () => {
    expect([...chunkFiles(bundle, ['/src/part.ts'])]).toEqual(['a.js', 'b.js']);
  });

  it('fail the build if it does not contain the screen', () => {
    expect(() => chunkFiles(bundle, ['/src/gone.tsx'])).toThrow('/src/gone.tsx is not part');
  });
});

describe('the page', () => {
  it('contains escaped texts, unchanged HTML, and files separated by spaces', () => {
    const html = fill('%title% %splash% %files%', {
      slots: { title: 'A & B' },
      htmlSlots: { splash: '<p>A</p>' },
      fileSlots: { files: (built) => [...chunkFiles(built, ['/src/screen.tsx'])] },
    });
    expect(html).toBe('A &amp; B <p>A</p> a.js b.js');
  });

  it('contains the head script, which the theme begins', () => {
    const page = fill('<script>%head-script%</script>', { headScript: 'one()' });
    expect(page).toMatch(/^<script>try\{.+\}catch\{\}\n?one\(\)<\/script>$/s);
  });

  it('paints its critical styles before it loads the stylesheet', () => {
    const html =
      '<head><!--critical-style--><link rel="stylesheet" href="/a.css"></head><body>Shell</body>';
    expect(fill(html, { criticalCss: 'a{}' })).toBe(
      '<head><style>a{}</style></head><body>Shell<link rel="stylesheet" href="/a.css"></body>',
    );
    expect(fill(html)).toBe(html);
  });

  it('fails the build if nothing fills a slot', () => {
    expect(() => fill('%missing%')).toThrow('nothing fills %missing%');
  });
});
