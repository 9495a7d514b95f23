/** The `/app` address that a signed-out user requested (spec 2), and the user whose session ended there, if any. */
import { localStore } from '@athos/app-core/storage';

const ROUTE_KEY = 'intended-route';
/** The path of a reward's link (spec 2). */
const REWARD_PATH = '/app/redeem';
const OWNER_KEY = 'intended-route-owner';

/** Without an `ownerUuid`, as for a visitor, the address serves any user who signs in. */
export function rememberRoute(path: string, ownerUuid?: string): void {
  localStore.write(ROUTE_KEY, path);
  if (ownerUuid === undefined) localStore.remove(OWNER_KEY);
  else localStore.write(OWNER_KEY, ownerUuid);
}

export function forgetRoute(): void {
  localStore.remove(ROUTE_KEY);
  localStore.remove(OWNER_KEY);
}

/** Whether a signed-out user followed the link of a reward, which waits for the sign-in. */
export function isRewardWaiting(): boolean {
  const [pathname, search] = (localStore.read(ROUTE_KEY) ?? '').split('?');
  return pathname === REWARD_PATH && (new URLSearchParams(search).get('code') ?? '').trim() !== '';
}

/** Returns and clears the remembered route. Another user's route is cleared and not returned. */
export function takeRoute(uuid: string): string | undefined {
  const path = localStore.read(ROUTE_KEY);
  const ownerUuid = localStore.read(OWNER_KEY);
  forgetRoute();
  const isOwn = ownerUuid === null || ownerUuid === uuid;
  // Users can edit storage, so only a path of this app is followed, never another site's address.
  return path !== null && isOwn && /^\/app(?:[/?]|$)/.test(path) ? path : undefined;
}
