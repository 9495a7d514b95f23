/** The width of an element as it changes, for content that is drawn or scaled to it. */
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Width in CSS pixels without padding and border. It is 0 only until the first measurement, before anything is painted. */
export function useWidth(): { ref: RefObject<HTMLDivElement | null>; width: number } {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (ref.current === null) return undefined;
    // The observer first reports after the first paint. Drawing only then would shift everything below.
    setWidth(ref.current.getBoundingClientRect().width);
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
