import { useLayoutEffect, useRef, type RefObject } from 'react';

/** Moves the focus when the part that holds it disappears. Otherwise it would fall back to the start of the page. */
export function useFocusAfter(
  part: RefObject<HTMLElement | null>,
  next: () => HTMLElement | null,
): void {
  const latest = useRef(next);
  useLayoutEffect(() => {
    latest.current = next;
  });
  useLayoutEffect(() => {
    const element = part.current;
    return () => {
      if (element?.contains(document.activeElement))
        latest.current()?.focus({ preventScroll: true });
    };
  }, [part]);
}
