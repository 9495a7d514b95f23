import { m } from '@athos/messages/messages';
import { ButtonLink } from '@athos/ui/primitives/button';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { TextLink } from '@athos/ui/primitives/link';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { Screen } from '@athos/ui/layout/screen';
import { Skeleton, SkeletonRows } from '@athos/ui/primitives/skeleton';
import SearchX from 'lucide-react/icons/search-x';
import { useParams, useLocation } from 'react-router';
import { useItemsOfPurchase, type PurchaseItem } from '../../api/purchases.ts';
import { paths } from '../../routes/paths.ts';
import { ItemPreview, useItemPreview } from './item-preview.tsx';
import { RedeemItems } from './redeem-items.tsx';
import { RedeemPlace } from './redeem-place.tsx';
import { useRedemption } from './use-redemption.ts';

const SKELETON_ROW_COUNT = 2;

/** Ids are positive integers; anything else matches nothing. */
function idOf(text: string | undefined | null): number {
  return text !== undefined && text !== null && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
}

/** Spec 2 `/app/my-purchases/{id}/redeem`: the code for the Scanner, and the items in it. */
export function RedeemScreen() {
  const purchaseId = idOf(useParams()['id']);
  const query = new URLSearchParams(useLocation().search);
  const itemId = query.has('itemId') ? idOf(query.get('itemId')) : undefined;
  return (
    <Screen title={m.purchases_redeem_title()} backTo={paths.myPurchases} width="form">
      {/* Another selection resets the screen. */}
      <Purchase key={`${purchaseId}:${itemId}`} purchaseId={purchaseId} itemId={itemId} />
    </Screen>
  );
}

interface PurchaseProps {
  purchaseId: number;
  /** Limits the screen to one item. */
  itemId: number | undefined;
}

function Purchase({ purchaseId, itemId }: PurchaseProps) {
  const { data, error, isFetchedAfterMount, refetch } = useItemsOfPurchase(purchaseId);
  const all = data ?? [];
  const items = itemId === undefined ? all : all.filter(({ id }) => id === itemId);
  if (items.length > 0) {
    return (
      <Redemption items={items} purchaseId={purchaseId} isNarrowed={items.length < all.length} />
    );
  }
  if (error !== null) {
    return <FailureNotice text={m.purchases_failed()} onTryAgain={() => void refetch()} />;
  }
  return all.length > 0 || isFetchedAfterMount ? <NotFound /> : <Loading />;
}

function NotFound() {
  return (
    <EmptyState
      icon={<SearchX size={28} />}
      title={m.purchases_redeem_not_found()}
      action={<ButtonLink to={paths.myPurchases}>{m.common_go_back()}</ButtonLink>}
    />
  );
}

function Loading() {
  return (
    <div className="flex flex-col items-center gap-6">
      <Skeleton className="aspect-square w-full max-w-81" />
      <div className="w-full">
        <SkeletonRows count={SKELETON_ROW_COUNT} label={m.purchases_loading()} />
      </div>
    </div>
  );
}

interface RedemptionProps {
  /** Has at least one element. */
  items: readonly PurchaseItem[];
  purchaseId: number;
  /** Whether the purchase has more items than these. */
  isNarrowed: boolean;
}

function Redemption({ items, purchaseId, isNarrowed }: RedemptionProps) {
  const redemption = useRedemption(items);
  const preview = useItemPreview();
  return (
    <>
      <RedeemPlace items={items} redemption={redemption} />
      <RedeemItems items={items} redemption={redemption} onOpenItem={preview.open} />
      {isNarrowed && (
        <TextLink isStandalone to={paths.redeemPurchase(purchaseId)}>
          {m.purchases_redeem_whole()}
        </TextLink>
      )}
      <ItemPreview preview={preview} items={items} />
    </>
  );
}
