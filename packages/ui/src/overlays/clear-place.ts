import { useLayoutEffect, useState, type RefObject } from 'react';

/** Elements that toasts never cover: headings, and a header's controls. */
const KEPT_CLEAR = 'main h1, main header :is(h2, a, button, input), [role="dialog"] h2';
const GAP = 8;

/** How far the list has to move down from the top of the screen to cover none of them. */
function clearOffset(list: HTMLElement): number {
  const { left, right, height } = list.getBoundingClientRect();
  const highest = list.offsetTop;
  let top = highest;
  const kept = [...document.querySelectorAll(KEPT_CLEAR)]
    .map((element) => element.getBoundingClientRect())
    // A hidden heading for screen readers is 1 px wide.
    .filter((place) => place.width > 1 && place.right > left && place.left < right)
    .toSorted((one, other) => one.top - other.top);
  for (const place of kept) {
    if (place.bottom > top && place.top < top + height + GAP) top = place.bottom + GAP;
  }
  // With very large text it would leave the window, so it then covers as little as possible.
  const lowest = innerHeight - height - GAP;
  return Math.max(0, Math.min(top, lowest) - highest);
}

/**
 * Keeps a fixed list clear of headings and controls while it shows anything. The place is measured and not reserved, because a heading may
 * take several lines at any text size, and scrolls away.
 */
export function useClearPlace(
  listRef: RefObject<HTMLElement | null>,
  contents: readonly unknown[],
): number {
  const [offset, setOffset] = useState(0);

  useLayoutEffect(() => {
    const list = listRef.current;
    if (list === null || contents.length === 0) return;
    const place = (): void => setOffset(clearOffset(list));
    place();
    // Another screen may open while a toast is shown.
    const changes = new MutationObserver(place);
    changes.observe(document.body, { childList: true, subtree: true });
    addEventListener('scroll', place, { passive: true, capture: true });
    addEventListener('resize', place);
    return () => {
      changes.disconnect();
      removeEventListener('scroll', place, { capture: true });
      removeEventListener('resize', place);
    };
  }, [listRef, contents]);

  return offset;
}
