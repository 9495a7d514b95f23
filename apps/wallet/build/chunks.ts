/**
 * Decides which modules share a file. By default the bundler creates a file for every distinct set of screens that use
 * a module, about fifty for home. Each costs a request, a task and compression, so a first page gets one file, and the
 * signed-in app one more.
 */
import { join } from 'node:path';

const source = join(import.meta.dirname, '../src');
const ENTRY = join(source, 'main.tsx');
/** Shared by the flows that move value. As one file, it needs only one entry in the first page's list. */
const MOVES_VALUE = /packages\/(?:app-core\/src\/intents|client\/src\/outcome)\b/;
/** The index of TanStack Query exports them, but only lists that load further pages need them. */
const GROWING_LISTS = /\/(?:useInfiniteQuery|infiniteQueryObserver|infiniteQueryOptions)\.js$/;
/** The modules that every signed-in start needs. */
const APP = [
  'api/session-start.ts',
  'api/live-updates.ts',
  'routes/app-layout.tsx',
  'features/home/home-screen.tsx',
].map((file) => join(source, file));

const TEXTS_FOLDER = join(import.meta.dirname, '../../../packages/messages/src');

interface ModuleGraph {
  readonly getModuleInfo: (
    id: string,
  ) => { readonly importedIds: readonly string[]; readonly code: string | null } | null;
}

/**
 * Returns the modules of the texts that `code` shows. The import statement of `code` does not tell, because it names
 * the whole catalogue.
 */
const textsIn = (code: string): readonly string[] =>
  [...code.matchAll(/\bm\.(\w+)/g)].map(([, name]) =>
    join(TEXTS_FOLDER, `gen/messages/${name}.js`),
  );

function everythingBelow(entries: readonly string[], graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (id: string): void => {
    if (found.has(id)) return;
    found.add(id);
    const { importedIds, code } = graph.getModuleInfo(id) ?? { importedIds: [], code: null };
    for (const imported of importedIds) {
      if (imported === join(TEXTS_FOLDER, 'messages.ts')) textsIn(code ?? '').forEach(visit);
      else visit(imported);
    }
  };
  entries.forEach(visit);
  return found;
}

/**
 * Puts the first page into one file, the rest of a signed-in start into another, and the code shared by the flows that move value into a
 * third.
 */
export function firstChunks(): { name: (id: string, graph: ModuleGraph) => string | null } {
  let firstPage: ReadonlySet<string> | undefined;
  let app: ReadonlySet<string> | undefined;
  return {
    name(id, graph) {
      firstPage ??= everythingBelow([ENTRY], graph);
      app ??= everythingBelow(APP, graph);
      if (id === ENTRY) return null;
      if (firstPage.has(id)) return 'first-page';
      if (app.has(id) && !GROWING_LISTS.test(id)) return 'app';
      return MOVES_VALUE.test(id) ? 'intents' : null;
    },
  };
}
