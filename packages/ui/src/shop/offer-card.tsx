import type { Rate } from '@athos/domain/money';
import { CARD_SIZES } from '../layout/card-sizes.ts';
import {
  CARD_SPANS,
  cardClass,
  cardLinkClass,
  cardPictureClass,
  columnCardClass,
  columnPictureClass,
} from '../layout/category-cards.tsx';
import { classNames } from '../primitives/class-names.ts';
import { Link } from '../primitives/link.tsx';
import { Picture, type PictureRatio } from '../primitives/picture.tsx';
import { InlineMarkdown } from '../text/markdown.tsx';
import { isTip, kindLabel, saleBadge, type ShownOffer } from './offer-words.ts';
import { Price } from './price.tsx';

interface Look {
  readonly span: string;
  readonly sizes: string;
  readonly ratio: PictureRatio;
  readonly card: string;
  /** Classes of the element around the picture. */
  readonly frame?: string;
  readonly className: string;
}

/** Spec 3: the display types, including `standard`. */
const LOOKS: Record<ShownOffer['displayType'], Look> = {
  standard: {
    span: CARD_SPANS.column,
    sizes: CARD_SIZES.column,
    ratio: 'card',
    card: columnCardClass,
    frame: columnPictureClass,
    className: cardPictureClass,
  },
  wide: {
    span: CARD_SPANS.columns,
    sizes: CARD_SIZES.columns,
    ratio: 'wide',
    card: 'flex-col',
    // The height of the picture of a standard card beside it.
    className: '@[34rem]/cards:h-[calc(var(--card-width)*0.75)]',
  },
  banner: {
    span: CARD_SPANS.full,
    sizes: CARD_SIZES.full,
    ratio: 'banner',
    card: 'flex-col',
    className: 'max-h-80',
  },
};

interface OfferCardProps {
  offer: ShownOffer;
  /** The offer's page. */
  to: string;
  nowMs: number;
  usdPerAth: Rate;
  /** The card is visible when the screen opens. */
  isFirst: boolean;
}

/** An offer in its display type. The whole card is a link. */
export function OfferCard({ offer, to, nowMs, usdPerAth, isFirst }: OfferCardProps) {
  const { span, card, frame, ...picture } = LOOKS[offer.displayType];
  const badge = saleBadge(offer, nowMs);
  return (
    <li className={classNames('flex', span)}>
      <Link to={to} className={classNames(cardClass, cardLinkClass, 'w-full', card)}>
        <div className={classNames('relative', frame)}>
          <Picture {...offer.image} {...picture} isFirst={isFirst} />
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
              picture.ratio === 'card'
                ? 'text-body font-semibold'
                : 'font-display text-lead font-bold',
            )}
          >
            <InlineMarkdown text={offer.title} />
          </h3>{' '}
          {isTip(offer) ? (
            <span className="text-caption text-ink-quiet">{kindLabel(offer)}</span>
          ) : (
            <Price price={offer.price} usdPerAth={usdPerAth} />
          )}
        </div>
      </Link>
    </li>
  );
}
