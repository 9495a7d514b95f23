/**
 * Runs in the head of the page, before its first paint, while the app's own code is still on its way. If a token is stored it
 * shows the splash that the page carries, and asks for what a signed-in start needs first: code, and answers that need no
 * session. The build makes a script of its own of it (`build/early-start.ts`), which must stay small.
 */
import { askEarly } from '@athos/client/early-answers';
import { API_PREFIX } from '@athos/contract/call';

/** What every signed-in start loads (`api/start-up.ts`). */
const PUBLIC_DATA = ['categories', 'exchange_rate', 'tiers'].map((name) => `${API_PREFIX}/${name}`);

/** Files with spaces between them, from the `data-` attributes of the script. */
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
    // Storage is blocked. The app starts signed out.
  }
  // As `packages/app-core/src/session.ts` reads it.
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
