import { registerHooks } from 'node:module';

/** The URL of a file, given relative to this folder. */
export const place = (file: string): string => new URL(file, import.meta.url).href;

/** The API's sources, relative to this folder. */
export const API = '../../apps/api/src';

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
      return replacement === undefined ? resolved : { ...resolved, url: replacement.by };
    },
  });
}
