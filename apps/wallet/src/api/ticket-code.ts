/** The code that a phone shows without a network. The phone signs it every 10 s and for each selection, without any request. */
import { signBytes } from '@athos/app-core/device-key';
import {
  parseTicket,
  showingToSign,
  ticketCodeText,
  ticketItemIds,
  type Showing,
} from '@athos/domain/ticket-code';
import { QR_ITEMS_MAX, QR_REFRESH_MS } from '@athos/domain/qr-payload';
import { useQuery } from '@tanstack/react-query';
import type { KeptTickets } from '../state/ticket-store.ts';

const HOUR_MS = 60 * 60_000;
/** Automatic corrections of a phone's clock are smaller than this. */
const CLOCK_STEP_MS = 5_000;

/**
 * `missing`: no ticket was fetched for these items. `over`: the ticket has expired. `clock`: this phone's clock was set back since the
 * server's last response, so its time cannot be trusted. `signing`: lasts some milliseconds. `elsewhere`: another phone is the ticket
 * phone. `ended`: another one was, and this one may follow it only if the user confirms it. `held`, `withheld`: the account gets no
 * tickets.
 */
export type TicketCode =
  | { readonly state: 'missing' | 'over' | 'clock' | 'signing' | 'held' }
  | { readonly state: 'elsewhere' | 'ended'; readonly label: string }
  | { readonly state: 'withheld'; readonly untilMs: number }
  | { readonly state: 'code'; readonly text: string; readonly validUntilMs: number };

interface Subject {
  readonly purchaseId: number;
  /** Has at least one element. */
  readonly itemIds: readonly number[];
}

export interface TicketParts {
  /** The items of each code, in the order of the tickets. */
  readonly parts: readonly (readonly number[])[];
  /** Chosen items that no ticket holds. */
  readonly leftOutCount: number;
}

/** Splits items into groups of `QR_ITEMS_MAX`, each of which fits into one code. */
export const inParts = (itemIds: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(itemIds.length / QR_ITEMS_MAX) }, (_, index) =>
    itemIds.slice(index * QR_ITEMS_MAX, (index + 1) * QR_ITEMS_MAX),
  );

/** Groups the chosen items into codes. A code holds items of one ticket, and a purchase may have several tickets. */
export function ticketParts(kept: KeptTickets, { purchaseId, itemIds }: Subject): TicketParts {
  const open = new Set(itemIds);
  const parts = kept.tickets.flatMap(({ purchaseId: id, ticket }) => {
    const content = id === purchaseId ? parseTicket(ticket)?.content : undefined;
    const chosen =
      content === undefined ? [] : ticketItemIds(content).filter((one) => open.delete(one));
    return inParts(chosen);
  });
  return { parts, leftOutCount: open.size };
}

/** After the time until which tickets are withheld, they only have to be fetched. */
function noTicket({ withheld }: KeptTickets, nowMs: number): TicketCode {
  if (withheld?.reason === 'held') return { state: 'held' };
  return withheld !== undefined && nowMs < withheld.untilMs
    ? { state: 'withheld', untilMs: withheld.untilMs }
    : { state: 'missing' };
}

/** Signs a code for the items of one part. If several tickets hold some of them, the ticket with the most is used. */
export async function showTicket(
  kept: KeptTickets,
  { purchaseId, itemIds }: Subject,
): Promise<TicketCode> {
  const { phone, publicKey, endedPhone } = kept;
  if (phone !== undefined && phone.publicKey !== publicKey) {
    return { state: 'elsewhere', label: phone.label };
  }
  if (endedPhone !== undefined) return { state: 'ended', label: endedPhone };
  const localMs = Date.now();
  if (localMs < kept.answeredAtMs - CLOCK_STEP_MS) return { state: 'clock' };
  const candidates = kept.tickets.flatMap(({ purchaseId: id, ticket }) => {
    const parsed = id === purchaseId ? parseTicket(ticket) : undefined;
    if (parsed === undefined) return [];
    const ids = ticketItemIds(parsed.content);
    const selection = ids.flatMap((itemId, index) => (itemIds.includes(itemId) ? [index] : []));
    const { validFromS, validHours } = parsed.content;
    const validUntilMs = validFromS * 1000 + validHours * HOUR_MS;
    return selection.length === 0
      ? []
      : [{ ticket, selection, itemCount: ids.length, validUntilMs }];
  });
  const [best] = candidates.toSorted((one, other) => other.selection.length - one.selection.length);
  const nowMs = localMs + kept.serverOffsetMs;
  if (best === undefined) return noTicket(kept, nowMs);
  if (nowMs > best.validUntilMs) return { state: 'over' };
  const { ticket, selection, itemCount, validUntilMs } = best;
  const showing: Showing = { timeS: Math.floor(nowMs / 1000), selection };
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', ticket));
  const signature = await signBytes(kept.key, showingToSign(hash, showing, itemCount));
  const text = ticketCodeText(ticket, showing, itemCount, signature);
  return { state: 'code', text, validUntilMs };
}

/** The code to show now. */
export function useTicketCode(kept: KeptTickets, subject: Subject): TicketCode {
  const { data } = useQuery({
    queryKey: ['ticket-code', subject, kept.answeredAtMs],
    queryFn: () => showTicket(kept, subject),
    refetchInterval: QR_REFRESH_MS,
    staleTime: 0,
    // The next visit must not briefly show an old code.
    gcTime: 0,
  });
  return data ?? { state: 'signing' };
}
