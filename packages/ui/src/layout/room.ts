import { useSyncExternalStore } from 'react';

/** `--container-wide` in tokens.css, in rem. */
export const WIDE_REM = 62;

function subscribe(onChange: () => void): () => void {
  addEventListener('resize', onChange);
  return () => removeEventListener('resize', onChange);
}

/** Measured in rem of the root, like the frame's container queries: larger text leaves less room. */
function hasRoom(): boolean {
  const root = document.documentElement;
  return root.clientWidth >= WIDE_REM * Number.parseFloat(getComputedStyle(root).fontSize);
}

/** Whether a signed-in screen has room for a second column. */
export const useHasRoomBeside = (): boolean => useSyncExternalStore(subscribe, hasRoom);
