/**
 * Loaded into an API process before the program (`node --import`): its transactions wait for their own commits, and what was
 * gathered because of decision 0041 runs alone, as before it. It is what the rule of early commits is compared with.
 */
import { registerHooks } from 'node:module';

const place = (file: string): string => new URL(file, import.meta.url).href;

/** Takes the place of a module, for all or for some of those that import it. */
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
