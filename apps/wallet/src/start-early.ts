/**
 * Runs in the head of the page, before its first paint, while the app's own code is loading. It shows the start view that the page contains
 * for this visitor. If a token is stored, that is the splash, and it requests the code, data and first visible pictures of a signed-in
 * start. The build writes it into the page (`build/early-start.ts`), so it must stay small.
 */
import { askEarly } from '@athos/client/early-answers';
import type { AnswerOf } from '@athos/contract/api';
import { API_PREFIX } from '@athos/contract/call';
import type { Picture } from '@athos/contract/goods';
import { pictureAddresses } from '@athos/contract/pictures';
import { CATEGORY_SIZES, OFFER_SIZES } from '@athos/ui/layout/card-sizes';

/** Files separated by spaces, from the script's `data-` attributes. */
interface FilesToFetch {
  /** For every signed-in start. */
  readonly app?: string;
  /** For the screen of a category. */
  readonly category?: string;
  /** For the screen of an offer. */
  readonly offer?: string;
}

/** The number of pictures that home loads first (`features/home/marketplace.tsx`). */
const FIRST_PICTURE_COUNT = 2;

export function startEarly(files: FilesToFetch): void {
  let token: string | null = null;
  let hadSession = false;
  try {
    token = localStorage.getItem('jwt');
    hadSession = localStorage.getItem('had-previous-session') === 'true';
  } catch {
    // Storage is blocked, so the app starts signed out.
  }
  const { pathname } = location;
  const isOfApp = /^\/(?:$|(?:app|auth)(?:\/|$))/.test(pathname);
  // The same check as in `packages/app-core/src/session.ts`.
  if (token === null || token === '' || token === 'invalidated') {
    if (isOfApp && !('Capacitor' in globalThis)) showShell(hadSession);
    return;
  }

  document.documentElement.dataset['splash'] = isOfApp ? 'app' : 'page';
  const [, categoryId, offerId] =
    /^\/app\/marketplace\/categories\/(\d+)(?:\/offers\/(\d+))?$/.exec(pathname) ?? [];

  askEarly(`${API_PREFIX}/account/refresh_jwt?token=${encodeURIComponent(token)}`, {
    read: ({ token: fresh }: AnswerOf<'refreshJwt'>) => {
      if (isOfApp) askEarly(`${API_PREFIX}/account/balance`, { token: fresh });
    },
  });
  if (offerId !== undefined) {
    askEarly(`${API_PREFIX}/offers?ids=${offerId}`, { read: fetchOfferPicture });
  } else if (categoryId !== undefined) askEarly(`${API_PREFIX}/categories/${categoryId}`);
  if (isOfApp) {
    // The data that every signed-in start loads (`api/start-up.ts`).
    const isHome = /^\/(?:app\/?)?$/.test(pathname);
    askEarly(`${API_PREFIX}/categories`, isHome ? { read: fetchHomePictures } : {});
    askEarly(`${API_PREFIX}/exchange_rate`);
    askEarly(`${API_PREFIX}/tiers`);
  }

  const screen = offerId === undefined ? categoryId && files.category : files.offer;
  for (const href of `${files.app} ${screen ?? ''}`.split(' ').filter(Boolean)) {
    preload({ rel: 'modulepreload', crossOrigin: '', href });
  }
}

const preload = (link: Partial<HTMLLinkElement>): void =>
  document.head.append(Object.assign(document.createElement('link'), link));

/** Fetches the image that `packages/ui/src/primitives/picture.tsx` shows later, in the same format and width. */
function fetchPicture(picture: Picture | null | undefined, sizes: string): void {
  const [best] = pictureAddresses(picture, '').sources;
  if (best === undefined) return;
  preload({
    rel: 'preload',
    as: 'image',
    type: best.type,
    imageSrcset: best.srcSet,
    imageSizes: sizes,
    fetchPriority: 'high',
  });
}

const fetchOfferPicture = ({ offers }: AnswerOf<'offers'>): void =>
  fetchPicture(offers[0]?.picture, OFFER_SIZES);

const fetchHomePictures = ({ categories }: AnswerOf<'categories'>): void =>
  categories
    .slice(0, FIRST_PICTURE_COUNT)
    .forEach((category) => fetchPicture(category.picture, CATEGORY_SIZES[category.display_type]));

/** Shows the page's shell that resembles the screen to which `routes/guards.ts` leads a visitor. */
function showShell(hadSession: boolean): void {
  const { pathname } = location;
  const isWelcome = /^\/auth\/get-started\/?$/.test(pathname);
  const isForm = /^\/auth\/./.test(pathname) && !isWelcome;
  document.documentElement.dataset['shell'] =
    isWelcome || (!isForm && !hadSession) ? 'welcome' : 'form';
}
