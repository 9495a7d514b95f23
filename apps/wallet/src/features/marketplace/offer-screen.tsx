import { m } from '@athos/messages/messages';
import { ButtonLink } from '@athos/ui/primitives/button';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { InlineMarkdown, plainText } from '@athos/ui/text/markdown';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { Screen } from '@athos/ui/layout/screen';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { OfferFrame, OfferView } from '@athos/ui/shop/offer-view';
import { isTip } from '@athos/ui/shop/offer-words';
import SearchX from 'lucide-react/icons/search-x';
import { useParams } from 'react-router';
import type { Offer } from '../../api/offer.ts';
import { useOffer } from '../../api/offers.ts';
import { useDisplayRate } from '../../api/rate.ts';
import { paths } from '../../routes/paths.ts';
import { AddToCart } from './add-to-cart.tsx';
import { addressId } from './address-id.ts';
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
  const { nowMs, tiers } = useBuyer();
  const usdPerAth = useDisplayRate();
  return (
    <Screen
      title={plainText(offer.title)}
      heading={<InlineMarkdown text={offer.title} />}
      backTo={paths.category(offer.categoryId)}
      width="full"
    >
      <OfferView offer={offer} nowMs={nowMs} tiers={tiers} usdPerAth={usdPerAth}>
        {isTip(offer) ? <TipForm offer={offer} /> : <AddToCart offer={offer} />}
      </OfferView>
    </Screen>
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
