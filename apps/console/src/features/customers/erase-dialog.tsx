import { m } from '@athos/messages/messages';
import { Notice } from '@athos/ui/primitives/notice';
import { useAdminAction, useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { moneyText } from '../../kit/money.tsx';

type Erasure = AdminAnswer<'customerErasure'>;

const ASSETS = ['ATH', 'ATH2', 'ATH3'] as const;

/** Everything that is lost with the account, in numbers (O-165). */
function effectOf({ balances, sessionCount, unredeemedCount }: Erasure): string {
  const amounts = ASSETS.filter((asset) => balances[asset] !== '0').map((asset) =>
    moneyText(balances[asset], asset),
  );
  return [
    amounts.length === 0
      ? m.customers_erase_forfeits_nothing()
      : m.customers_erase_forfeits({ amounts: amounts.join(', ') }),
    ...(sessionCount === 0 ? [] : [m.customers_erase_sessions({ count: sessionCount })]),
    ...(unredeemedCount === 0 ? [] : [m.customers_erase_items({ count: unredeemedCount })]),
    m.customers_erase_final(),
    m.customers_erase_vote(),
  ].join(' ');
}

/** Requests the erasure of a customer. Obstacles are shown before it can be requested. */
export function EraseDialog({ uuid, onClose }: { uuid: string; onClose: () => void }) {
  const { run, isPending } = useAdminAction('eraseCustomer');
  const { item, failure, reload } = useAdminItem('customerErasure', { params: { uuid } });
  const obstacle = item?.obstacle ?? undefined;
  const isReady = item !== undefined && obstacle === undefined;
  return (
    <ActionDialog
      title={m.customers_erase()}
      effect={item === undefined ? m.customers_erase_loading() : effectOf(item)}
      actLabel={m.customers_erase_act()}
      isDanger
      doneText={m.customers_erase_done()}
      disabledReason={isReady ? undefined : (obstacle?.title ?? m.customers_erase_loading())}
      isPending={isPending}
      run={(reason) => run({ params: { uuid }, body: { reason } })}
      onClose={onClose}
    >
      {failure !== undefined && <FailureView failure={failure} onRetry={reload} />}
      {obstacle !== undefined && (
        <Notice kind="danger" title={m.customers_erase_obstacle()}>
          {obstacle.title}
        </Notice>
      )}
    </ActionDialog>
  );
}
