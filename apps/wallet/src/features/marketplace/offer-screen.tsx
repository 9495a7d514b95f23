import { m } from '@athos/messages/messages';
import { ButtonLink } from '@athos/ui/primitives/button';
import { OFFER_SIZES } from '@athos/ui/layout/card-sizes';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { InlineMarkdown, Markdown, plainText } from '@athos/ui/text/markdown';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { Picture } from '@athos/ui/primitives/picture';
import { Screen } from '@athos/ui/layout/screen';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import SearchX from 'lucide-react/icons/search-x';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import type { Offer } from '../../api/offer.ts';
import { useOffer } from '../../api/offers.ts';
import { useDisplayRate } from '../../api/rate.ts';
import { paths } from '../../routes/paths.ts';
import { AddToCart } from './add-to-cart.tsx';
import { addressId } from './address-id.ts';
import { isTip, offerFacts, saleBadge } from './offer-words.ts';
import { Price } from './price.tsx';
import { TipForm } from './tip-form.tsx';
import { useBuyer } from '../../api/buyer.ts';

/** Spec 2 `/app/marketplace/categories/{categoryId}/offers/{id}`: one offer, to buy or to tip. */
export function OfferScreen() {
  const params = useParams();
  const categoryId = addressId(params['categoryId']);
  const { offer, isMissing, isFailed, retry } = useOffer(categoryId, addressId(params['id']));
  if (offer !== undefined) return <LoadedOffer key={offer.id} offer={offer} />;
  const backTo = categoryId === undefined ? paths.home : paths.category(categoryId);
  return (
    <Screen
      title={m.marketplace_offer_title()}
      isTitleHidden
      backTo={backTo}
      isLoading={!isMissing && !isFailed}
      width="full"
    >
      {isMissing ? (
        <EmptyState
          icon={<SearchX size={28} />}
          title={m.marketplace_offer_unknown()}
          text={m.marketplace_offer_unknown_text()}
          action={<ButtonLink to={paths.home}>{m.marketplace_to_marketplace()}</ButtonLink>}
        />
      ) : isFailed ? (
        <FailureNotice text={m.marketplace_offer_failed()} onTryAgain={retry} />
      ) : (
        <OfferSkeleton />
      )}
    </Screen>
  );
}

function LoadedOffer({ offer }: { offer: Offer }) {
  return (
    <Screen
      title={plainText(offer.title)}
      heading={<InlineMarkdown text={offer.title} />}
      backTo={paths.category(offer.categoryId)}
      width="full"
    >
      <OfferFrame
        picture={
          <Picture
            {...offer.image}
            alt={plainText(offer.title)}
            sizes={OFFER_SIZES}
            isFirst
            className="rounded-medium"
          />
        }
      >
        <OfferSummary offer={offer} />
        {isTip(offer) ? <TipForm offer={offer} /> : <AddToCart offer={offer} />}
      </OfferFrame>
      {offer.note.trim() !== '' && (
        <div className="max-w-column">
          <Markdown text={offer.note} />
        </div>
      )}
    </Screen>
  );
}

/** The picture above the actions, or beside them if there is room. */
function OfferFrame(props: { picture: ReactNode; children: ReactNode }) {
  return (
    <div className="@rail/shell:grid-cols-2 @rail/shell:gap-10 grid grid-cols-1 items-start gap-5">
      {props.picture}
      <div className="flex flex-col gap-5">{props.children}</div>
    </div>
  );
}

function OfferSummary({ offer }: { offer: Offer }) {
  const buyer = useBuyer();
  const usdPerAth = useDisplayRate();
  const badge = saleBadge(offer, buyer.nowMs);
  const facts = offerFacts(offer, buyer);
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

function OfferSkeleton() {
  return (
    <div role="status" aria-label={m.marketplace_offer_loading()} className="flex flex-col gap-5">
      <OfferFrame picture={<Skeleton className="aspect-4/3 w-full" />}>
        <Skeleton className="h-9 w-2/5" />
        <Skeleton className="h-12 w-full" />
        <Skeleton className="h-4 w-4/5" />
      </OfferFrame>
    </div>
  );
}
