import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EMPTY_CACHE, noMutations } from './no-mutations.ts';

const folder = join(import.meta.dirname, '../../../node_modules/@tanstack/query-core/build/modern');

it('has every method that QueryClient calls of its cache of mutations', () => {
  const source = readFileSync(join(folder, 'queryClient.js'), 'utf8');
  const called = [...source.matchAll(/#mutationCache\.(\w+)\(/g)].map(([, name]) => name);
  expect(called.length).toBeGreaterThan(0);
  for (const name of called) expect(EMPTY_CACHE).toContain(` ${name}() {`);
});

it('replaces the file that the library has, and fails a build that uses mutations', () => {
  const { load, generateBundle } = noMutations();
  const { filter } = load as { filter: { id: RegExp } };
  expect(join(folder, 'mutationCache.js')).toMatch(filter.id);
  const bundle = (moduleId: string) => ({
    'a.js': { type: 'chunk', moduleIds: [join(folder, moduleId)] },
  });
  const finish = (moduleId: string) =>
    (generateBundle as unknown as (options: object, bundle: object) => void).call(
      {
        error: (text: string) => {
          throw new Error(text);
        },
      },
      {},
      bundle(moduleId),
    );
  expect(() => finish('queryClient.js')).not.toThrow();
  expect(() => finish('mutationObserver.js')).toThrow('This build has no mutations');
});
