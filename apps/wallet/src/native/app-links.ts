/** Links that open the app: links in mails, reward codes and pay links. */
import { APP_LINK_PATHS } from '@athos/contract/app-links';
import { app } from './plugins.ts';

/** Two reports of the same tap arrive within this time. */
const SAME_TAP_MS = 3000;
/**
 * In session storage, which lasts as long as the app's web view. The value contains nothing of the link, which may carry a reset code or a
 * reward code.
 */
const LAUNCH_KEY = 'launch-link-read';

/** Returns path and query of a link to `walletOrigin`; `undefined` for any other link that is sent to the app. */
function pathOfLink(link: string, walletOrigin: string): string | undefined {
  const url = URL.parse(link);
  if (url === null || url.origin !== walletOrigin) return undefined;
  const isOurs = APP_LINK_PATHS.some((path) => path === url.pathname);
  return isOurs ? url.pathname + url.search : undefined;
}

/** False after a reload, when the platform reports a link that was already followed: on Android the launch link, on iOS the latest one. */
function isFirstPage(): boolean {
  try {
    const isFirst = sessionStorage.getItem(LAUNCH_KEY) === null;
    sessionStorage.setItem(LAUNCH_KEY, 'true');
    return isFirst;
  } catch {
    return true;
  }
}

/** Resolves to the path of the link that launched the app, if there was one. `onLink` receives later links. */
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
