/** The `/app` address that a signed-out user requested (spec 2), and the user whose session ended there, if any. */
import { localStore } from '@athos/app-core/storage';

const ROUTE_KEY = 'intended-route';
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

/** Returns and clears the remembered route. Another user's route is cleared and not returned. */
export function takeRoute(uuid: string): string | undefined {
  const path = localStore.read(ROUTE_KEY);
  const ownerUuid = localStore.read(OWNER_KEY);
  forgetRoute();
  const isOwn = ownerUuid === null || ownerUuid === uuid;
  // Users can edit storage, so only a path of this app is followed, never another site's address.
  return path !== null && isOwn && /^\/app(?:[/?]|$)/.test(path) ? path : undefined;
}
