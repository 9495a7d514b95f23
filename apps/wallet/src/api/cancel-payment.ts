/** Canceling an open card purchase, which still waits for its card. */
import { queryClient } from '@athos/app-core/query-client';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { useState } from 'react';
import { client } from './http.ts';
import { pendingPaymentsQuery, type PendingPayment } from './pending-payments.ts';

/** Cancels an open purchase and reports the outcome. A stored draft of it notices when it is continued. */
async function cancelPayment({ id }: PendingPayment): Promise<void> {
  try {
    const { stripe_status: status } = await client.call('cancelPayment', { params: { id } });
    if (status === 2) toasts.show('info', m.buy_open_canceled(), 4000);
    else if (status === 1) toasts.show('success', m.buy_open_cancel_paid(), 4000);
    else toasts.show('info', m.buy_open_cancel_processing(), 5000);
  } catch {
    toasts.show('danger', m.buy_open_cancel_failed(), 5000);
  }
  await queryClient.invalidateQueries({ queryKey: pendingPaymentsQuery.queryKey });
}

/** The action and the state of the banner of an open purchase while it is canceled. */
export function useCancelPayment(payment: PendingPayment) {
  const [isCanceling, setIsCanceling] = useState(false);
  const cancel = async (): Promise<void> => {
    setIsCanceling(true);
    await cancelPayment(payment);
    setIsCanceling(false);
  };
  return { isCanceling, onCancel: () => void cancel() };
}
