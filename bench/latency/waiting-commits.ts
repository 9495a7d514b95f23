/**
 * Loaded into an API process before the program (`node --import`): its transactions wait for their own commits, and work that decision 0041
 * gathered into batches runs alone again. Early commits are compared with this.
 */
import { registerHooks } from 'node:module';

const place = (file: string): string => new URL(file, import.meta.url).href;

/** Replaces a module, for all or for some of its importers. */
interface Replacement {
  readonly original: string;
  readonly by: string;
  readonly importers?: readonly string[];
}

const API = '../../apps/api/src';
const REPLACEMENTS: readonly Replacement[] = [
  {
    original: place(`${API}/platform/database/early-commit.ts`),
    by: place('waiting-commit.ts'),
  },
  {
    original: place(`${API}/platform/database/notifications.ts`),
    by: place('silent-notifications.ts'),
    importers: [place(`${API}/deps.ts`)],
  },
  {
    original: place(`${API}/platform/database/batcher.ts`),
    by: place('lone-batcher.ts'),
    importers: [
      place(`${API}/modules/transfers/pay-together.ts`),
      place(`${API}/modules/campaigns/guess-limits.ts`),
    ],
  },
];

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    const replacement = REPLACEMENTS.find(
      ({ original, importers }) =>
        original === resolved.url && importers?.includes(context.parentURL ?? '') !== false,
    );
    return replacement === undefined ? resolved : { ...resolved, url: replacement.by };
  },
});
