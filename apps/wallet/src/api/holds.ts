/** Sends that have not arrived yet: the user's own, which can be undone, and incoming ones (decision 0058). */
import { queryClient } from '@athos/app-core/query-client';
import {
  formatAthRoundedUp,
  NO_UNITS,
  parseUnits,
  TOKEN_ASSETS,
  type TokenAsset,
  type TokenUnits,
} from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { tokenBrand } from '@athos/ui/money/token-icon';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from './http.ts';

export interface Hold {
  readonly id: string;
  /** The time of arrival, by the server's clock. */
  readonly atMs: number;
  readonly toUuid: string;
  readonly asset: TokenAsset;
  readonly amountUnits: TokenUnits;
}

interface Holds {
  /** The user's own sends, the last one to arrive first. */
  readonly sent: readonly Hold[];
  /** Incoming amounts that their senders can still take back, one text per token. No balance includes them. */
  readonly arriving: readonly string[];
}

/** Live events report changes at once. Polling covers the time without them. */
const POLL_MAX_MS = 5_000;
const POLL_MIN_MS = 1_000;
/** The worker looks for due sends every 250 ms. */
const AFTER_DUE_MS = 500;

export async function fetchHolds(signal: AbortSignal): Promise<Holds> {
  const { sent, arriving } = await client.call('holds', { signal });
  return {
    sent: sent.map(({ id, post_at: postAt, to_uuid: toUuid, asset, amount }) => ({
      id,
      atMs: Date.parse(postAt),
      toUuid,
      asset,
      amountUnits: parseUnits(amount),
    })),
    arriving: TOKEN_ASSETS.flatMap((asset) => {
      const amountUnits = parseUnits(arriving[asset]);
      if (amountUnits === NO_UNITS) return [];
      const amount = formatAthRoundedUp(amountUnits);
      return [m.wallet_arriving({ amount, symbol: tokenBrand(asset).symbol })];
    }),
  };
}

/** The delay until the next poll. Nothing is polled if no send is pending, because live events report new ones. */
function pollMs(holds: Holds | undefined): number | false {
  if (holds === undefined) return false;
  const { sent, arriving } = holds;
  if (sent.length === 0 && arriving.length === 0) return false;
  const leftMs = Math.min(...sent.map(({ atMs }) => atMs - client.serverNowMs()));
  return Math.max(POLL_MIN_MS, Math.min(POLL_MAX_MS, leftMs + AFTER_DUE_MS));
}

const holdsQuery = queryOptions({
  queryKey: ['holds'],
  queryFn: ({ signal }) => fetchHolds(signal),
  refetchInterval: ({ state }) => pollMs(state.data),
});

/** `undefined` until they are known. */
export const useHolds = (): Holds | undefined => useQuery(holdsQuery).data;

/** Shows a change before the server confirms it, and discards a pending response, which does not know of it yet. */
function noteChange(change: (sent: readonly Hold[]) => readonly Hold[]): void {
  void queryClient.cancelQueries(holdsQuery);
  queryClient.setQueryData(
    holdsQuery.queryKey,
    (holds) => holds && { ...holds, sent: change(holds.sent) },
  );
  void askForHolds();
}

/** Adds a send that was just made. */
export const noteHold = (hold: Hold): void =>
  noteChange((sent) => [hold, ...sent.filter(({ id }) => id !== hold.id)]);

/** Removes a send that was taken back. */
export const noteUndone = (hold: Hold): void =>
  noteChange((sent) => sent.filter(({ id }) => id !== hold.id));

export const askForHolds = (): Promise<void> => queryClient.invalidateQueries(holdsQuery);
