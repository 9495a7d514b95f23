import { UnreadableAnswerError } from '@athos/client/errors';
import { m } from '@athos/messages/messages';
import { Button, ButtonLink } from '@athos/ui/button';
import { EmptyState } from '@athos/ui/empty-state';
import { Notice } from '@athos/ui/notice';
import { Screen } from '@athos/ui/screen';
import { SkeletonRows } from '@athos/ui/skeleton';
import Ticket from 'lucide-react/icons/ticket';
import { usePurchasesAnew } from '../../api/purchases.ts';
import { paths } from '../../routes/paths.ts';
import { ItemPreview } from './item-preview.tsx';
import { PurchaseList } from './purchase-list.tsx';
import { useItemPreview } from './use-item-preview.ts';

const SKELETON_ROW_COUNT = 4;

/** Spec 2 `/app/my-purchases`: what was bought, to be redeemed or redeemed already. */
export function MyPurchasesScreen() {
  return (
    <Screen title={m.purchases_title()} backTo={paths.home}>
      <Purchases />
    </Screen>
  );
}

function Purchases() {
  const { data: items, error, refetch } = usePurchasesAnew();
  const preview = useItemPreview();
  return (
    <>
      {error !== null && (
        <Failure error={error} isStale={items !== undefined} onAgain={() => void refetch()} />
      )}
      {items === undefined && error === null && (
        <SkeletonRows count={SKELETON_ROW_COUNT} label={m.purchases_loading()} />
      )}
      {items?.length === 0 && <NoPurchases />}
      {items !== undefined && items.length > 0 && (
        <PurchaseList items={items} onOpenItem={preview.open} />
      )}
      <ItemPreview preview={preview} items={items ?? []} />
    </>
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

/** Decision "No response": an empty body is an error; an empty list is none. */
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
