import { CardGrid } from '@athos/ui/layout/category-cards';
import { OfferCard } from '@athos/ui/shop/offer-card';
import { startTransition, useState, type CSSProperties } from 'react';
import type { Offer } from '../../api/offer.ts';
import { useDisplayRate } from '../../api/rate.ts';
import { useServerNowMs } from '../../api/server-now.ts';
import { paths } from '../../routes/paths.ts';

/** Cards that may be visible when the screen opens, even on a large display. */
const FIRST_COUNT = 12;
const STEP_COUNT = 24;
/** Farther than one flick scrolls, so the next cards are rendered before they become visible. */
const AHEAD_PX = 1500;

interface OfferGridProps {
  offers: readonly Offer[];
  /** The number of pictures that are loaded first. */
  firstPictureCount: number;
}

/**
 * Offers in a grid. Those far below are rendered when the user scrolls near them; until then a placeholder of about
 * their height replaces them. A category may have hundreds, and each blocks a slow phone's input for several
 * milliseconds.
 */
export function OfferGrid({ offers, firstPictureCount }: OfferGridProps) {
  const nowMs = useServerNowMs();
  const usdPerAth = useDisplayRate();
  const [drawnCount, setDrawnCount] = useState(() =>
    'IntersectionObserver' in globalThis ? FIRST_COUNT : Infinity,
  );
  const restCount = offers.length - drawnCount;
  return (
    <CardGrid>
      {offers.slice(0, drawnCount).map((offer, index) => (
        <OfferCard
          key={offer.id}
          offer={offer}
          to={paths.offer(offer)}
          nowMs={nowMs}
          usdPerAth={usdPerAth}
          isFirst={index < firstPictureCount}
        />
      ))}
      {restCount > 0 && (
        <PlaceOfOthers
          key={drawnCount}
          count={restCount}
          onNear={() => startTransition(() => setDrawnCount(drawnCount + STEP_COUNT))}
        />
      )}
    </CardGrid>
  );
}

/** The placeholder for the remaining offers. It calls `onNear` once, and a new one then replaces the rest. */
function PlaceOfOthers({ count, onNear }: { count: number; onNear: () => void }) {
  const watch = (element: HTMLLIElement): (() => void) => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting !== true) return;
        observer.disconnect();
        onNear();
      },
      { rootMargin: `${AHEAD_PX}px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  };
  return (
    <li
      ref={watch}
      aria-hidden
      style={{ '--count': count } as CSSProperties}
      className="h-[calc(var(--count)/var(--columns)*15rem)] basis-full"
    />
  );
}
