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

  it('names the head script after its content', () => {
    const names = ['', 'one()', 'two()'].map((headScript) => fill('%head-script%', { headScript }));
    expect(new Set(names).size).toBe(3);
    expect(names[0]).toMatch(/^\/app\/assets\/head-[0-9a-f]{8}\.js$/);
  });

  it('fails the build if nothing fills a slot', () => {
    expect(() => fill('%missing%')).toThrow('nothing fills %missing%');
  });
});
