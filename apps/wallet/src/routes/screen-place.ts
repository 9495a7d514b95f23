import { useHasRoomBeside } from '@athos/ui/layout/room';
import { useLocation } from 'react-router';
import { paths } from './paths.ts';

/** Lists whose details are shown beside them where there is room. */
const LISTS: readonly string[] = [paths.history, paths.myPurchases];

/** The part of the address that decides which screen is shown. A list with a detail beside it is one screen. */
export function useScreenPlace(): string {
  const { pathname } = useLocation();
  const hasRoom = useHasRoomBeside();
  const list = LISTS.find((path) => pathname.startsWith(`${path}/`));
  return hasRoom && list !== undefined ? list : pathname;
}
