/** The width of an element, as it changes: for what has to be drawn or scaled to it. */
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** In CSS pixels, of an element without padding and border; 0 until it was measured, which is never painted. */
export function useWidth(): { ref: RefObject<HTMLDivElement | null>; width: number } {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (ref.current === null) return undefined;
    // The observer's first word would come after the first paint, and what is drawn then would move everything below.
    setWidth(ref.current.getBoundingClientRect().width);
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
