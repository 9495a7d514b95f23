/** Links that open the app: of mails and of reward codes. */
import { APP_LINK_PATHS } from '@athos/contract/app-links';
import { app } from './plugins.ts';

/** Two tellings of one tap lie closer together. */
const SAME_TAP_MS = 3000;
/** A reload is told of the link that the app was launched with once more. */
const LAUNCHED_KEY = 'launched-with';

/** Path and query of a link to `walletOrigin`; `undefined` for whatever else somebody sends to the app. */
function pathOfLink(link: string, walletOrigin: string): string | undefined {
  const url = URL.parse(link);
  if (url === null || url.origin !== walletOrigin) return undefined;
  const isOurs = APP_LINK_PATHS.some((path) => path === url.pathname);
  return isOurs ? url.pathname + url.search : undefined;
}

function isNewLaunch(link: string): boolean {
  try {
    const isNew = sessionStorage.getItem(LAUNCHED_KEY) !== link;
    sessionStorage.setItem(LAUNCHED_KEY, link);
    return isNew;
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
  const launch = (await app.getLaunchUrl())?.url;
  const path =
    launch !== undefined && isNewLaunch(launch) ? pathOfLink(launch, walletOrigin) : undefined;
  if (launch !== undefined) isRepeat(launch);
  await app.addListener('appUrlOpen', ({ url }) => {
    const opened = pathOfLink(url, walletOrigin);
    if (opened !== undefined && !isRepeat(url)) onLink(opened);
  });
  return path;
}
