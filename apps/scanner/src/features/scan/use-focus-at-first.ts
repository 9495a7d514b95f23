import { useEffect, useRef, type RefObject } from 'react';

/** Focuses an element when it appears: what was focused before is gone with the panel before it. */
export function useFocusAtFirst<Element extends HTMLElement>(): RefObject<Element | null> {
  const element = useRef<Element>(null);
  useEffect(() => element.current?.focus(), []);
  return element;
}
