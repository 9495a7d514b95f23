/** The width of an element, as it changes: for what has to be drawn or scaled to it. */
import { useEffect, useRef, useState, type RefObject } from 'react';

/** In CSS pixels, without padding and border; 0 until it was measured. */
export function useWidth(): { ref: RefObject<HTMLDivElement | null>; width: number } {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (ref.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
