/** Which modules go into one file together. */
import { join } from 'node:path';

const source = join(import.meta.dirname, '../src');
const FIRST_PAGE = [join(source, 'main.tsx')];
/** What a signed-in start fetches. */
const APP = [
  'api/session-start.ts',
  'api/live-updates.ts',
  'routes/app-layout.tsx',
  'features/home/home-screen.tsx',
].map((file) => join(source, file));

interface ModuleGraph {
  readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null;
}

function everythingBelow(entries: readonly string[], graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (id: string): void => {
    if (found.has(id)) return;
    found.add(id);
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) visit(imported);
  };
  for (const entry of entries) visit(entry);
  return found;
}

/**
 * The app's first code in one file beside the first page's: left to itself the bundler makes forty of it, and each costs a
 * request, a task and a worse compression.
 */
export function appChunk(): { name: (id: string, graph: ModuleGraph) => string | null } {
  let firstPage: ReadonlySet<string> | undefined;
  let app: ReadonlySet<string> | undefined;
  return {
    name(id, graph) {
      firstPage ??= everythingBelow(FIRST_PAGE, graph);
      app ??= everythingBelow(APP, graph);
      return app.has(id) && !firstPage.has(id) ? 'app' : null;
    },
  };
}
