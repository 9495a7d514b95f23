/**
 * Runs in the head of the page, before its first paint, while the app's own code is loading. If a token is stored, it
 * shows the page's splash and requests what a signed-in start needs first: code, and data that needs no session. The
 * build turns it into a separate script (`build/early-start.ts`), which must stay small.
 */
import { askEarly } from '@athos/client/early-answers';
import { API_PREFIX } from '@athos/contract/call';

/** What every signed-in start loads (`api/start-up.ts`). */
const PUBLIC_DATA = ['categories', 'exchange_rate', 'tiers'].map((name) => `${API_PREFIX}/${name}`);

/** Files separated by spaces, from the script's `data-` attributes. */
interface FilesToFetch {
  /** For every signed-in start. */
  readonly app?: string;
  /** For the screen of a category. */
  readonly category?: string;
}

export function startEarly(files: FilesToFetch): void {
  let token: string | null = null;
  try {
    token = localStorage.getItem('jwt');
  } catch {
    // Storage is blocked, so the app starts signed out.
  }
  // The same check as in `packages/app-core/src/session.ts`.
  if (token === null || token === '' || token === 'invalidated') return;

  const isOfApp = /^\/(?:$|(?:app|auth)(?:\/|$))/.test(location.pathname);
  document.documentElement.dataset['splash'] = isOfApp ? 'app' : 'page';
  const categoryId = /^\/app\/marketplace\/categories\/(\d+)$/.exec(location.pathname)?.[1];

  askEarly([
    `${API_PREFIX}/account/refresh_jwt?token=${encodeURIComponent(token)}`,
    ...(categoryId === undefined ? [] : [`${API_PREFIX}/categories/${categoryId}`]),
    ...(isOfApp ? PUBLIC_DATA : []),
  ]);

  const lists = categoryId === undefined ? [files.app] : [files.app, files.category];
  for (const file of lists.join(' ').split(' ').filter(Boolean)) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.crossOrigin = '';
    link.href = file;
    document.head.append(link);
  }
}
