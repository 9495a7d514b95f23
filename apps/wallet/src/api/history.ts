/** The user's movements, newest first, page by page (spec 7 `all_history`). */
import { queryClient } from '@athos/app-core/query-client';
import type { AnswerOf } from '@athos/contract/api';
import {
  athHundredths,
  microAthFromHundredths,
  parseAth,
  parseUnits,
  usdCents,
  type MicroAth,
  type TokenAsset,
  type TokenUnits,
  type UsdCents,
} from '@athos/domain/money';
import { shortUuid } from '@athos/domain/uuid';
import { m } from '@athos/messages/messages';
import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { aliasOf, type Contact } from '../state/contacts.ts';
import { client } from './http.ts';

interface Base {
  /** The number that a user may quote to support. */
  readonly id: number;
  /** ISO 8601. */
  readonly at: string;
}

/** A movement of tokens without an order. */
interface Transferred extends Base {
  readonly amountUnits: TokenUnits;
  readonly asset: TokenAsset;
  readonly counterpartyUuid: string | null;
  /** The reason for a movement made by the programme; `undefined` for the acts of users. */
  readonly reason: HistoryReason | undefined;
}

export type HistoryReason = NonNullable<WireTransferred['reason']>;

/** The state of a send that could be undone. */
export type SendState = NonNullable<WireSent['state']>;

export interface Tip {
  /** The giver's name as the giver entered it; may be empty. */
  readonly from: string;
  readonly note: string;
}

export interface Payment extends Base {
  readonly kind: 'payment';
  readonly amountUnits: TokenUnits;
  /** `false` if the payment failed. */
  readonly isCompleted: boolean;
  /** The amount charged to the card, including fees. */
  readonly totalUsdCents: UsdCents;
  readonly feesUsdCents: UsdCents;
}

interface Purchase extends Base {
  readonly kind: 'purchase';
  readonly priceMicroAth: MicroAth;
  readonly itemCount: number;
  /** The offer as it was at the time of purchase. */
  readonly offer: PurchasedOffer;
}

export interface PurchasedOffer {
  readonly kind: number;
  /** Title and note are Markdown. */
  readonly title: string;
  readonly note: string;
  readonly imageUrl: string;
}

export type Movement =
  | ({ readonly kind: 'send'; readonly state: SendState | undefined } & Transferred)
  | ({ readonly kind: 'receive'; readonly tip: Tip | null } & Transferred)
  | ({ readonly kind: 'reward' } & Transferred)
  | Payment
  | Purchase;

/**
 * The other side of a movement: a tip's giver as the giver wrote it, a contact's alias, or a short form of the id.
 * `undefined` if no other user took part.
 */
export function counterpartyName(
  movement: Transferred & { readonly tip?: Tip | null },
  contacts: readonly Contact[],
): string | undefined {
  const { tip, counterpartyUuid: uuid } = movement;
  if (tip) return tip.from === '' ? m.history_tip_anonymous() : tip.from;
  return uuid === null ? undefined : (aliasOf(contacts, uuid) ?? shortUuid(uuid));
}

/** Movements, newest first. */
export interface HistoryPage {
  readonly movements: readonly Movement[];
  /** `null` on the last page. */
  readonly nextCursor: string | null;
}

type WireMovement = AnswerOf<'historyItem'>;
type WireSent = Extract<WireMovement, { type: 'Send' }>['data'];
type WireTransferred = Extract<WireMovement, { type: 'Reward' }>['data'];

const readTransferred = ({ id, date, amount, asset, counterparty, reason }: WireTransferred) => ({
  id,
  at: date,
  amountUnits: parseUnits(amount),
  asset,
  counterpartyUuid: counterparty,
  reason,
});

function readMovement(item: WireMovement): Movement {
  switch (item.type) {
    case 'Send':
      return { kind: 'send', state: item.data.state, ...readTransferred(item.data) };
    case 'Receive': {
      const { tip_from: from, note = '' } = item.data;
      const tip = from === undefined ? null : { from, note };
      return { kind: 'receive', tip, ...readTransferred(item.data) };
    }
    case 'Reward':
      return { kind: 'reward', ...readTransferred(item.data) };
    case 'Payment':
      return {
        kind: 'payment',
        id: item.data.id,
        at: item.data.date,
        amountUnits: parseUnits(item.data.token_amount),
        // Spec 4: 1 is completed.
        isCompleted: item.data.stripe_status === 1,
        totalUsdCents: usdCents(BigInt(item.data.amount_paid)),
        feesUsdCents: usdCents(BigInt(item.data.tx_fee + item.data.athos_fee)),
      };
    case 'Purchase': {
      const { kind, title, note, img } = item.data.offer;
      return {
        kind: 'purchase',
        id: item.data.id,
        at: item.data.date,
        priceMicroAth: microAthFromHundredths(athHundredths(item.data.offer_amount)),
        itemCount: item.data.offer_count,
        offer: { kind, title, note, imageUrl: img },
      };
    }
  }
}

export const PAGE_SIZE = 30;
/** The server's page size limit. */
const EXPORT_PAGE_SIZE = 100;

export const MOVEMENT_TYPES = [
  'Payment',
  'Purchase',
  'Send',
  'Receive',
  'Reward',
] as const satisfies readonly WireMovement['type'][];

export const DIRECTIONS = ['in', 'out'] as const;

/** Local days, both included: `2026-11-22`. */
export interface HistoryFilter {
  readonly type: (typeof MOVEMENT_TYPES)[number] | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly direction: (typeof DIRECTIONS)[number] | undefined;
  /** The lowest and the highest amount, both included, as the user typed them: `12.5`. */
  readonly min: string | undefined;
  readonly max: string | undefined;
  /** A label given by the user. */
  readonly label: string | undefined;
  /** Words from the user's notes and labels, and from the titles of purchased offers. */
  readonly q: string | undefined;
}

/** Local midnight `daysLater` days after `day`. A day may have 23 or 25 hours. */
function midnight(day: string, daysLater: number): string {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + daysLater);
  return date.toISOString();
}

const unitsText = (amount: string): string => (parseAth(amount) ?? '').toString();

const wireFilter = ({ type, from, to, direction, min, max, label, q }: HistoryFilter) => ({
  ...(type !== undefined && { type }),
  ...(from !== undefined && { from: midnight(from, 0) }),
  ...(to !== undefined && { to: midnight(to, 1) }),
  ...(direction !== undefined && { direction }),
  ...(min !== undefined && { amount_min: unitsText(min) }),
  ...(max !== undefined && { amount_max: unitsText(max) }),
  ...(label !== undefined && { label }),
  ...(q !== undefined && { q }),
});

/** `cursor` is null for the newest page. */
export async function fetchPage(
  cursor: string | null,
  signal?: AbortSignal,
  { filter, limit = PAGE_SIZE }: { filter?: HistoryFilter; limit?: number } = {},
): Promise<HistoryPage> {
  const { history, next_cursor: nextCursor } = await client.call('allHistory', {
    query: {
      limit,
      ...(filter !== undefined && wireFilter(filter)),
      ...(cursor !== null && { cursor }),
    },
    ...(signal !== undefined && { signal }),
  });
  return { movements: history.map(readMovement), nextCursor };
}

export type Received = Extract<Movement, { kind: 'receive' }>;

/** Transfers received from others since `fromMs` by the server's clock, newest first. */
export async function fetchReceived(fromMs: number, limit: number): Promise<readonly Received[]> {
  const { history } = await client.call('allHistory', {
    query: { type: 'Receive', from: new Date(fromMs).toISOString(), limit },
  });
  return history.map(readMovement).filter((movement) => movement.kind === 'receive');
}

export const historyQuery = infiniteQueryOptions({
  queryKey: ['history', 'list'],
  queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
  // `null` and not `undefined`: the offline copy is JSON, which would restore it as `null`.
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
  // A refetch would fetch every page. `refreshHistory` fetches only the newest.
  staleTime: Infinity,
});

const filteredQuery = (filter: HistoryFilter) =>
  infiniteQueryOptions({
    queryKey: ['history', 'filtered', JSON.stringify(filter)],
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal, { filter }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** Without a filter, returns the list that is kept for reading offline. */
export const useHistory = (filter?: HistoryFilter) =>
  useInfiniteQuery(filter === undefined ? historyQuery : filteredQuery(filter));

/** All movements that match, page by page, newest first. */
export async function fetchAllMovements(
  filter: HistoryFilter,
  {
    signal,
    onProgress,
  }: { readonly signal: AbortSignal; readonly onProgress: (count: number) => void },
): Promise<readonly Movement[]> {
  const movements: Movement[] = [];
  let cursor: string | null = null;
  do {
    const page: HistoryPage = await fetchPage(cursor, signal, { filter, limit: EXPORT_PAGE_SIZE });
    movements.push(...page.movements);
    onProgress(movements.length);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return movements;
}

/** Returns one movement, from the list if it is there, otherwise from the server. */
export const useHistoryItem = (id: number | undefined) =>
  useQuery(
    queryOptions({
      queryKey: ['history', 'item', id],
      queryFn: async ({ signal }) =>
        readMovement(await client.call('historyItem', { params: { id: id ?? 0 }, signal })),
      enabled: id !== undefined,
      staleTime: Infinity,
      initialData: () =>
        queryClient
          .getQueryData(historyQuery.queryKey)
          ?.pages.flatMap(({ movements }) => movements)
          .find((movement) => movement.id === id),
    }),
  );
