import { CardGrid } from '@athos/ui/layout/category-cards';
import { startTransition, useState, type CSSProperties } from 'react';
import type { Offer } from '../../api/offer.ts';
import { useDisplayRate } from '../../api/rate.ts';
import { useServerNowMs } from '../../api/server-now.ts';
import { OfferCard } from './offer-card.tsx';

/** What may be in sight when the screen opens, also on a large one. */
const FIRST_COUNT = 12;
const STEP_COUNT = 24;
/** More than a flick of the thumb moves: the next ones are there before they are seen. */
const AHEAD_PX = 1500;

interface OfferGridProps {
  offers: readonly Offer[];
  /** How many pictures are fetched before all others. */
  firstPictureCount: number;
}

/**
 * Offers side by side. Those far below are drawn when somebody scrolls near, and have an empty place of about their height
 * until then: a category may have hundreds, each of which costs a slow phone several milliseconds before anybody can touch it.
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

/** Tells once: a new one stands for those that are left then. */
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
      className="small:h-[calc(var(--count)/3*15rem)] col-span-full h-[calc(var(--count)/2*14rem)]"
    />
  );
}
