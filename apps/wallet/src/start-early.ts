/**
 * Runs in the head of the page, before its first paint, while the app's own code is loading. It shows the start that the
 * page contains for this visitor. If a token is stored, that is the splash, and it requests what a signed-in start needs
 * first: code, and data that needs no session. The build writes it into the page (`build/early-start.ts`), so it must
 * stay small.
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
  let hadSession = false;
  try {
    token = localStorage.getItem('jwt');
    hadSession = localStorage.getItem('had-previous-session') === 'true';
  } catch {
    // Storage is blocked, so the app starts signed out.
  }
  const isOfApp = /^\/(?:$|(?:app|auth)(?:\/|$))/.test(location.pathname);
  // The same check as in `packages/app-core/src/session.ts`.
  if (token === null || token === '' || token === 'invalidated') {
    if (isOfApp && !('Capacitor' in globalThis)) showShell(hadSession);
    return;
  }

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

/** Which of the page's shells resembles the screen that `routes/guards.ts` leads a visitor to. */
function showShell(hadSession: boolean): void {
  const { pathname } = location;
  const isWelcome = /^\/auth\/get-started\/?$/.test(pathname);
  const isForm = /^\/auth\/./.test(pathname) && !isWelcome;
  document.documentElement.dataset['shell'] =
    isWelcome || (!isForm && !hadSession) ? 'welcome' : 'form';
}
