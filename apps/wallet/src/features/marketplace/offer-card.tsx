import { CARD_SIZES, CARD_SPANS, cardClass, cardLinkClass } from '@athos/ui/category-cards';
import { classNames } from '@athos/ui/class-names';
import { Link } from '@athos/ui/link';
import { InlineMarkdown } from '@athos/ui/markdown';
import { Picture, type PictureRatio } from '@athos/ui/picture';
import type { Offer } from '../../api/offer.ts';
import { paths } from '../../routes/paths.ts';
import { isTip, kindLabel, saleBadge } from './offer-words.ts';
import { Price } from './price.tsx';

interface Look {
  readonly span: keyof typeof CARD_SPANS;
  readonly ratio: PictureRatio;
}

/** Spec 3: `standard` among others. */
const LOOKS: Record<Offer['displayType'], Look> = {
  standard: { span: 'third', ratio: 'card' },
  wide: { span: 'half', ratio: 'wide' },
  banner: { span: 'full', ratio: 'banner' },
};

interface OfferCardProps {
  offer: Offer;
  nowMs: number;
  /** In sight when the screen opens. */
  isFirst: boolean;
}

/** An offer in the manner that it asks for, all of it a link. */
export function OfferCard({ offer, nowMs, isFirst }: OfferCardProps) {
  const { span, ratio } = LOOKS[offer.displayType];
  const badge = saleBadge(offer, nowMs);
  return (
    <li className={classNames('flex', CARD_SPANS[span])}>
      <Link
        to={paths.offer(offer)}
        className={classNames(cardClass, cardLinkClass, 'w-full flex-col')}
      >
        <div className="relative">
          <Picture {...offer.image} sizes={CARD_SIZES[span]} ratio={ratio} isFirst={isFirst} />
          {badge !== undefined && (
            <span className="rounded-pill bg-surface text-ink text-caption shadow-card absolute top-2 left-2 px-2.5 py-1 font-semibold">
              {badge}
            </span>
          )}
        </div>
        <div className="flex grow flex-col justify-between gap-1 px-3.5 py-3">
          <h3
            className={classNames(
              'text-balance',
              span === 'third' ? 'text-body font-semibold' : 'font-display text-lead font-bold',
            )}
          >
            <InlineMarkdown text={offer.title} />
          </h3>{' '}
          {isTip(offer) ? (
            <span className="text-caption text-ink-quiet">{kindLabel(offer)}</span>
          ) : (
            <Price price={offer.price} />
          )}
        </div>
      </Link>
    </li>
  );
}
