/** The user's links for receiving payments. */
import { queryClient } from '@athos/app-core/query-client';
import { ApiError } from '@athos/client/errors';
import {
  formatAthExact,
  parseAth,
  parseUnits,
  type TokenAsset,
  type TokenUnits,
} from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { tokenBrand } from '@athos/ui/money/token-icon';
import { toasts } from '@athos/ui/overlays/toast-store';
import { queryOptions } from '@tanstack/react-query';
import { client } from './http.ts';

export interface PayLink {
  readonly id: string;
  readonly label: string;
  /** `12.50 ATH`, or a text saying that the payer decides. */
  readonly amountText: string;
  readonly note: string;
  readonly link: string;
}

const amountText = (amount: string | null, asset: TokenAsset): string =>
  amount === null
    ? m.profile_link_any_amount()
    : `${formatAthExact(parseUnits(amount))} ${tokenBrand(asset).symbol}`;

/** Newest first. */
export const payLinksQuery = queryOptions({
  queryKey: ['pay-links'],
  queryFn: async ({ signal }): Promise<PayLink[]> => {
    const { pay_codes: codes } = await client.call('payCodes', { signal });
    return codes.map(({ id, label, amount, asset, note, link }) => ({
      id,
      label,
      amountText: amountText(amount, asset),
      note,
      link,
    }));
  },
});

const refresh = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: payLinksQuery.queryKey });

/** Parses the typed amount of a link. An empty text means that the payer decides. */
export function readAsked(text: string): { isWrong: boolean; amount: TokenUnits | undefined } {
  const amount = parseAth(text);
  return { isWrong: text.trim() !== '' && (amount === undefined || amount === 0n), amount };
}

interface NewLink {
  readonly label: string;
  /** `undefined` means that the payer decides. */
  readonly amount: TokenUnits | undefined;
  readonly note: string;
}

/** Resolves to whether the link was created; a toast reports a failure. */
export async function makePayLink({ label, amount, note }: NewLink): Promise<boolean> {
  const show = toasts.attempt('pay-link');
  try {
    await client.call('makePayCode', {
      body: { label, note, ...(amount !== undefined && { amount: String(amount) }) },
    });
    await refresh();
    return true;
  } catch (error) {
    const isTooMany = error instanceof ApiError && error.code === 'too_many_pay_codes';
    show('danger', isTooMany ? m.profile_link_too_many() : m.profile_link_failed(), 5000);
    return false;
  }
}

export async function endPayLink(id: string): Promise<void> {
  const show = toasts.attempt('pay-link');
  try {
    await client.call('endPayCode', { params: { id } });
    show('success', m.profile_link_ended(), 3000);
  } catch {
    show('danger', m.profile_link_failed(), 5000);
  }
  await refresh();
}
