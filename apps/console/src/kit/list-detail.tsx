/** A list and the opened object: side by side from 1280 px, otherwise one at a time. */
import { createContext, use, useSyncExternalStore, type ReactNode } from 'react';

const Beside = createContext(false);

/** Whether the detail is beside its list. The list then has the page's main title. */
export const useIsBeside = (): boolean => use(Beside);

/** The value of `--container-desk` in tokens.css, in rem. */
const DESK_REM = 80;

function subscribe(onChange: () => void): () => void {
  addEventListener('resize', onChange);
  return () => removeEventListener('resize', onChange);
}

/** Measured in rem, like container queries, because larger text leaves less room. */
function hasRoom(): boolean {
  const root = document.documentElement;
  return root.clientWidth >= DESK_REM * Number.parseFloat(getComputedStyle(root).fontSize);
}

/** Whether there is room for a rail, and for a detail beside its list. */
export const useIsDesk = (): boolean => useSyncExternalStore(subscribe, hasRoom);

/** `detail` is `undefined` while no object is open. Where both fit, each keeps its typed input when the other appears or disappears. */
export function ListDetail({ list, detail }: { list: ReactNode; detail: ReactNode | undefined }) {
  const isDesk = useIsDesk();
  const isOpen = detail !== undefined;
  const isBeside = isOpen && isDesk;
  return (
    <div
      className={
        isBeside ? 'grid grow grid-cols-[minmax(0,1fr)_minmax(0,32rem)] gap-6' : 'contents'
      }
    >
      {(!isOpen || isDesk) && (
        <div key="list" className={isBeside ? 'min-w-0' : 'contents'}>
          {list}
        </div>
      )}
      {isOpen && (
        <div
          key="detail"
          role={isBeside ? 'complementary' : undefined}
          className={
            isBeside
              ? 'border-line sticky top-0 -my-6 h-dvh self-start overflow-y-auto border-l pr-1 pl-6'
              : 'contents'
          }
        >
          {/* The padding is inside, so that sticky elements reach the bottom edge of the window. */}
          <div className={isBeside ? 'py-6' : 'contents'}>
            <Beside value={isBeside}>{detail}</Beside>
          </div>
        </div>
      )}
    </div>
  );
}
