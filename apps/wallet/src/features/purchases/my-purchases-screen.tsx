import { UnreadableAnswerError } from '@athos/client/errors';
import { m } from '@athos/messages/messages';
import { Button, ButtonLink } from '@athos/ui/primitives/button';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { Notice } from '@athos/ui/primitives/notice';
import { Screen } from '@athos/ui/layout/screen';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import Ticket from 'lucide-react/icons/ticket';
import { usePurchasesAnew } from '../../api/purchases.ts';
import { useTickets } from '../../api/tickets.ts';
import { paths } from '../../routes/paths.ts';
import { ItemPreview, useItemPreview } from './item-preview.tsx';
import { PurchaseList } from './purchase-list.tsx';
import { useAsOf } from '../../state/as-of.ts';
import { useUserUuid } from '../../state/current-user.ts';

const SKELETON_CARD_COUNT = 3;

/** Spec 2 `/app/my-purchases`: all purchases, redeemed or not. */
export function MyPurchasesScreen() {
  return (
    <Screen title={m.purchases_title()} backTo={paths.home}>
      <Purchases />
    </Screen>
  );
}

function Purchases() {
  const { data: items, dataUpdatedAt, error, refetch } = usePurchasesAnew();
  const asOf = useAsOf(dataUpdatedAt);
  const preview = useItemPreview();
  // Fetched here so that the tickets are on the phone when the network is gone.
  useTickets(useUserUuid());
  return (
    <>
      {asOf !== undefined && <p className="text-caption text-ink-quiet">{asOf}</p>}
      {error !== null && asOf === undefined && (
        <Failure error={error} isStale={items !== undefined} onAgain={() => void refetch()} />
      )}
      {items === undefined && error === null && <Loading />}
      {items?.length === 0 && <NoPurchases />}
      {items !== undefined && items.length > 0 && (
        <PurchaseList items={items} onOpenItem={preview.open} />
      )}
      <ItemPreview preview={preview} items={items ?? []} />
    </>
  );
}

/** A skeleton in the shape of the loading content. */
function Loading() {
  return (
    <div role="status" aria-label={m.purchases_loading()} className="flex flex-col gap-3">
      <Skeleton className="mb-1 h-7 w-36" />
      {Array.from({ length: SKELETON_CARD_COUNT }, (_, index) => (
        <div
          key={index}
          className="rounded-medium bg-surface shadow-card inset-ring-line inset-ring"
        >
          <div className="flex items-center gap-3 px-4 py-3.5">
            <Skeleton className="size-14 shrink-0" />
            <div className="flex grow flex-col gap-2">
              <Skeleton className="h-4 w-3/5" />
              <Skeleton className="h-3 w-2/5" />
              <Skeleton className="h-3 w-1/2" />
            </div>
          </div>
          <div className="border-line border-t p-3">
            <Skeleton isRound className="h-12 w-full" />
          </div>
        </div>
      ))}
    </div>
  );
}

function NoPurchases() {
  return (
    <EmptyState
      icon={<Ticket size={28} />}
      title={m.purchases_empty_title()}
      action={<ButtonLink to={paths.home}>{m.purchases_empty_action()}</ButtonLink>}
    />
  );
}

/** D-135: an empty body is an error, an empty list is not. */
function failureText(error: Error, isStale: boolean): string {
  if (isStale) return m.purchases_stale();
  return error instanceof UnreadableAnswerError && error.isEmpty
    ? m.purchases_no_response()
    : m.purchases_failed();
}

function Failure(props: { error: Error; isStale: boolean; onAgain: () => void }) {
  return (
    <Notice
      kind={props.isStale ? 'info' : 'danger'}
      action={
        <Button variant="quiet" isCompact onClick={props.onAgain}>
          {m.common_try_again()}
        </Button>
      }
    >
      {failureText(props.error, props.isStale)}
    </Notice>
  );
}
