/** A list and the object that is open: side by side from 1280 px, one after the other below. */
import { createContext, use, useSyncExternalStore, type ReactNode } from 'react';

const Beside = createContext(false);

/** Whether this detail stands beside its list, whose title is the page's own. */
export const useIsBeside = (): boolean => use(Beside);

/** The same as `--breakpoint-desk` in tokens.css. */
const DESK = '(width >= 80rem)';

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(DESK);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

/** Whether there is room for a rail and for a detail beside its list. */
export const useIsDesk = (): boolean =>
  useSyncExternalStore(subscribe, () => matchMedia(DESK).matches);

/** `detail` is `undefined` while no object is open. */
export function ListDetail({ list, detail }: { list: ReactNode; detail: ReactNode | undefined }) {
  const isDesk = useIsDesk();
  if (detail === undefined) return list;
  if (!isDesk) return detail;
  return (
    <div className="grid grow grid-cols-[minmax(0,1fr)_minmax(0,32rem)] gap-6">
      <div className="min-w-0">{list}</div>
      <aside className="border-line sticky top-0 -my-6 h-dvh self-start overflow-y-auto border-l py-6 pr-1 pl-6">
        <Beside value={true}>{detail}</Beside>
      </aside>
    </div>
  );
}
