/** Links that open the app: of mails and of reward codes. */
import { APP_LINK_PATHS } from '@athos/contract/app-links';
import { app } from './plugins.ts';

/** Two tellings of one tap lie closer together. */
const SAME_TAP_MS = 3000;
/** Lasts as long as the app's web view. Holds nothing of the link: that may carry a reset code or a reward code. */
const LAUNCH_KEY = 'launch-link-read';

/** Path and query of a link to `walletOrigin`; `undefined` for whatever else somebody sends to the app. */
function pathOfLink(link: string, walletOrigin: string): string | undefined {
  const url = URL.parse(link);
  if (url === null || url.origin !== walletOrigin) return undefined;
  const isOurs = APP_LINK_PATHS.some((path) => path === url.pathname);
  return isOurs ? url.pathname + url.search : undefined;
}

/**
 * A reload would be told of a link that was followed before: on Android of the launch's, on iOS of the last one of all.
 */
function isFirstPage(): boolean {
  try {
    const isFirst = sessionStorage.getItem(LAUNCH_KEY) === null;
    sessionStorage.setItem(LAUNCH_KEY, 'true');
    return isFirst;
  } catch {
    return true;
  }
}

/** The path that the app was launched with, if it was by a link. `onLink` hears of those that come later. */
export async function followLinks(
  walletOrigin: string,
  onLink: (path: string) => void,
): Promise<string | undefined> {
  let last = { link: '', atMs: 0 };
  const isRepeat = (link: string): boolean => {
    const isSame = link === last.link && Date.now() - last.atMs < SAME_TAP_MS;
    last = { link, atMs: Date.now() };
    return isSame;
  };
  const launch = isFirstPage() ? (await app.getLaunchUrl())?.url : undefined;
  if (launch !== undefined) isRepeat(launch);
  await app.addListener('appUrlOpen', ({ url }) => {
    const opened = pathOfLink(url, walletOrigin);
    if (opened !== undefined && !isRepeat(url)) onLink(opened);
  });
  return launch === undefined ? undefined : pathOfLink(launch, walletOrigin);
}
