import { registerHooks } from 'node:module';

const API_SOURCES = new URL('../apps/api/src/', import.meta.url);

/** The URL of a module of the API, given relative to its sources. */
export const apiModule = (file: string): string => new URL(file, API_SOURCES).href;

/** Replaces a module, for all or for some of its importers. */
export interface Replacement {
  readonly original: string;
  /** It may import the original. */
  readonly by: string;
  readonly importers?: readonly string[];
}

/** Replaces modules of this process that are imported after the call. */
export function replaceModules(replacements: readonly Replacement[]): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      const importer = context.parentURL ?? '';
      const replacement = replacements.find(
        ({ original, by, importers }) =>
          original === resolved.url && by !== importer && importers?.includes(importer) !== false,
      );
      return replacement === undefined ? resolved : nextResolve(replacement.by, context);
    },
  });
}
