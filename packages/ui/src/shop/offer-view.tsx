/** The content of an offer's page, without the actions. */
import type { Rate } from '@athos/domain/money';
import type { ReactNode } from 'react';
import { OFFER_SIZES } from '../layout/card-sizes.ts';
import { Picture } from '../primitives/picture.tsx';
import { Markdown, plainText } from '../text/markdown.tsx';
import { isTip, offerFacts, saleBadge, type ShownOffer } from './offer-words.ts';
import { Price } from './price.tsx';

interface OfferViewProps {
  offer: ShownOffer;
  nowMs: number;
  tiers: readonly { readonly id: number; readonly title: string }[];
  usdPerAth: Rate;
  /** The controls to buy or to tip. */
  children: ReactNode;
}

export function OfferView({ offer, nowMs, tiers, usdPerAth, children }: OfferViewProps) {
  return (
    <>
      <OfferFrame
        picture={
          <Picture
            {...offer.image}
            alt={offer.image.alt ?? plainText(offer.title)}
            sizes={OFFER_SIZES}
            isFirst
            className="rounded-medium"
          />
        }
      >
        <OfferSummary offer={offer} nowMs={nowMs} tiers={tiers} usdPerAth={usdPerAth} />
        {children}
      </OfferFrame>
      {offer.note.trim() !== '' && (
        <div className="max-w-column">
          <Markdown text={offer.note} />
        </div>
      )}
    </>
  );
}

/** The picture above the actions, or beside them if there is room. */
export function OfferFrame(props: { picture: ReactNode; children: ReactNode }) {
  return (
    <div className="@rail/shell:grid-cols-2 @rail/shell:gap-10 grid grid-cols-1 items-start gap-5">
      {props.picture}
      <div className="flex flex-col gap-5">{props.children}</div>
    </div>
  );
}

function OfferSummary({ offer, nowMs, tiers, usdPerAth }: Omit<OfferViewProps, 'children'>) {
  const badge = saleBadge(offer, nowMs);
  const facts = offerFacts(offer, { nowMs, tiers });
  return (
    <div className="@container/summary flex flex-col gap-2">
      {/* Spec 2: a tip offer has no price. */}
      {!isTip(offer) && <Price price={offer.price} usdPerAth={usdPerAth} isLarge />}
      <ul className="flex flex-wrap gap-2">
        {badge !== undefined && (
          <li className="rounded-pill bg-info-surface text-info text-caption px-3 py-1 font-semibold">
            {badge}
          </li>
        )}
        {facts.map((fact) => (
          <li
            key={fact}
            className="rounded-pill bg-sunken text-ink-quiet text-caption px-3 py-1 font-semibold"
          >
            {fact}
          </li>
        ))}
      </ul>
    </div>
  );
}
