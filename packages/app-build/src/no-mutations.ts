import type { Plugin } from 'vite';

const MUTATION_CACHE = /\/@tanstack\/query-core\/build\/modern\/mutationCache\.js$/;
const MUTATION_OBSERVER = /\/@tanstack\/query-core\/build\/modern\/mutationObserver\.js$/;

/** The methods of its mutation cache that `QueryClient` calls in an app without mutations. */
export const EMPTY_CACHE = `export class MutationCache {
  clear() {}
  findAll() { return []; }
  resumePausedMutations() { return Promise.resolve(); }
}`;

/**
 * Leaves TanStack Query's mutations out of the build: 1.1 kB (gzip) that every app's start would load. What moves value
 * here is an intent of `packages/app-core`, and nothing uses a mutation.
 */
export const noMutations = (): Plugin => ({
  name: 'no-mutations',
  apply: 'build',
  load: { filter: { id: MUTATION_CACHE }, handler: () => EMPTY_CACHE },
  generateBundle(_options, bundle) {
    for (const part of Object.values(bundle)) {
      if (part.type === 'chunk' && part.moduleIds.some((id) => MUTATION_OBSERVER.test(id)))
        this.error('This build has no mutations: use an intent, or build without no-mutations.ts');
    }
  },
});
