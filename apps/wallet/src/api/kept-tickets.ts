/**
 * The tickets that stay on the phone after the sign-out for being away (decision 0059), when nobody can sign in without a network. They
 * consist of item numbers and times only, so nothing else of the account can be shown from them.
 */
import { parseTicket, ticketItemIds } from '@athos/domain/ticket-code';
import { inParts } from './ticket-code.ts';
import { canKeepTickets, readAnyTickets, type KeptTickets } from '../state/ticket-store.ts';

const HOUR_MS = 60 * 60_000;

/** What one code shows: items of one purchase, and no more than a code may hold. */
export interface KeptPart {
  readonly purchaseId: number;
  readonly itemIds: readonly number[];
}

export interface Shown {
  readonly kept: KeptTickets;
  /** At least one. */
  readonly parts: readonly KeptPart[];
}

/** `undefined` if this phone shows no tickets, or if all have run out. A ticket names the items that were open when it was fetched. */
export async function readKeptTickets(): Promise<Shown | undefined> {
  if (!canKeepTickets()) return undefined;
  const kept = await readAnyTickets();
  if (kept === undefined || kept.phone?.publicKey !== kept.publicKey) return undefined;
  const nowMs = Date.now() + kept.serverOffsetMs;
  const parts = kept.tickets.flatMap(({ purchaseId, ticket }) => {
    const content = parseTicket(ticket)?.content;
    if (content === undefined) return [];
    const isOver = nowMs > content.validFromS * 1000 + content.validHours * HOUR_MS;
    const codes = isOver ? [] : inParts(ticketItemIds(content));
    return codes.map((itemIds) => ({ purchaseId, itemIds }));
  });
  return parts.length === 0 ? undefined : { kept, parts };
}
