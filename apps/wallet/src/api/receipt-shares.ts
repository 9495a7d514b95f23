/** Links that show a receipt to others. */
import { queryClient } from '@athos/app-core/query-client';
import { ApiError } from '@athos/client/errors';
import type { AnswerOf } from '@athos/contract/api';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { queryOptions } from '@tanstack/react-query';
import { client } from './http.ts';
import { showFailure } from './session.ts';

type WireShare = AnswerOf<'receiptShares'>['shares'][number];

export interface ReceiptShare {
  readonly id: string;
  readonly movementId: number;
  readonly withNames: boolean;
  /** ISO 8601. */
  readonly expiresAt: string;
}

const readShare = (wire: WireShare): ReceiptShare => ({
  id: wire.id,
  movementId: wire.movement_id,
  withNames: wire.with_names,
  expiresAt: wire.expires_at,
});

/** The links that have not expired or been ended. */
export const receiptSharesQuery = queryOptions({
  queryKey: ['receipt-shares'],
  queryFn: async ({ signal }) =>
    (await client.call('receiptShares', { signal })).shares.map(readShare),
});

const refresh = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: receiptSharesQuery.queryKey });

function refusalText(code: ApiError['code']): string {
  if (code === 'send_not_arrived') return m.history_share_not_arrived();
  return code === 'too_many_shares' ? m.history_share_too_many() : m.history_share_failed();
}

/** The link, which cannot be fetched again; `undefined` after a failure, which a toast has reported. */
export async function shareReceipt(
  movementId: number,
  { withNames, days }: { readonly withNames: boolean; readonly days: number },
): Promise<string | undefined> {
  const show = toasts.attempt('share');
  try {
    const body = { with_names: withNames, days };
    const { link } = await client.call('shareReceipt', { params: { id: movementId }, body });
    await refresh();
    return link;
  } catch (error) {
    const code = error instanceof ApiError ? error.code : undefined;
    showFailure(show, refusalText(code), error);
    // The app's copy of the movement is out of date.
    if (code === 'send_not_arrived') await queryClient.invalidateQueries({ queryKey: ['history'] });
    // The links to choose from may have been made on another device.
    if (code === 'too_many_shares') await refresh();
    return undefined;
  }
}

export async function endReceiptShare(id: string): Promise<void> {
  const show = toasts.attempt('share');
  try {
    await client.call('endReceiptShare', { params: { id } });
    show('success', m.history_share_ended(), 3000);
  } catch (error) {
    showFailure(show, m.history_share_failed(), error);
  }
  await refresh();
}

/** The receipt that a link shows; null until the movement is sealed. Requires no account. */
export const sharedReceiptQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared-receipt', token],
    queryFn: async ({ signal }) => {
      const answer = await client.call('sharedReceipt', { body: { token }, signal });
      return { receipt: answer.receipt, taken: answer.taken, expiresAt: answer.expires_at };
    },
  });
