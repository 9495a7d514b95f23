/** The limit above which the owner must confirm a spending (decision 0071). */
import { queryClient } from '@athos/app-core/query-client';
import type { AnswerOf } from '@athos/contract/api';
import { formatUsd, usdCents } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { queryOptions } from '@tanstack/react-query';
import { client } from './http.ts';
import { actAs } from './session.ts';

/** US cents; `null` means that no confirmation is required. */
type Limit = number | null;

export interface ConfirmationLimit {
  readonly limit: Limit;
  /** The limit in force unless the owner has chosen one. */
  readonly usual: Limit;
  readonly next: { readonly limit: Limit; readonly from: string } | undefined;
}

const read = (wire: AnswerOf<'confirmationLimit'>): ConfirmationLimit => ({
  limit: wire.limit_usd_cents,
  usual: wire.usual_usd_cents,
  next: wire.next === null ? undefined : { limit: wire.next.limit_usd_cents, from: wire.next.from },
});

export const confirmationLimitQuery = queryOptions({
  queryKey: ['confirmation-limit'],
  queryFn: async ({ signal }) => read(await client.call('confirmationLimit', { signal })),
});

/** US cents. The choices in addition to the usual and the current limit. */
const CHOICES: readonly number[] = [0, 2_000, 5_000, 10_000, 20_000];

/** Lowest first, 'never' last. */
export function limitChoices({ limit, usual }: ConfirmationLimit): readonly Limit[] {
  const sums = [...new Set([...CHOICES, ...(limit === null ? [] : [limit])])];
  return [...sums.toSorted((one, other) => one - other), ...(usual === null ? [null] : [])];
}

export function limitText(limit: Limit): string {
  if (limit === null) return m.security_limit_never();
  return limit === 0 ? m.security_limit_always() : formatUsd(usdCents(BigInt(limit)));
}

/** Resolves to whether it was changed. Raising the limit requires a confirmation first and takes effect after a day. */
export async function changeLimit(limit: Limit, { usual }: ConfirmationLimit): Promise<boolean> {
  const isChanged = await actAs(
    {
      who: 'member',
      name: 'changeConfirmationLimit',
      failureText: m.security_limit_change_failed(),
    },
    async () => {
      const body = { limit_usd_cents: limit === usual ? null : limit };
      const wire = await client.call('changeConfirmationLimit', { body });
      queryClient.setQueryData(confirmationLimitQuery.queryKey, read(wire));
    },
  );
  if (isChanged)
    toasts.attempt('changeConfirmationLimit')('success', m.security_limit_saved(), 3000);
  return isChanged;
}
