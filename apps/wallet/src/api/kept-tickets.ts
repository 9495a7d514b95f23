/**
 * The tickets that stay on the phone after a sign-out for inactivity (decision 0059), when nobody can sign in without a network. They
 * consist of item numbers and times only, so they reveal nothing else of the account.
 */
import { parseTicket, ticketItemIds } from '@athos/domain/ticket-code';
import { inParts } from './ticket-code.ts';
import { canKeepTickets, readAnyTickets, type KeptTickets } from '../state/ticket-store.ts';

const HOUR_MS = 60 * 60_000;

/** The content of one code: items of one purchase, at most as many as a code can hold. */
export interface KeptPart {
  readonly purchaseId: number;
  readonly itemIds: readonly number[];
}

export interface Shown {
  readonly kept: KeptTickets;
  /** Has at least one element. */
  readonly parts: readonly KeptPart[];
}

/** `undefined` if this phone shows no tickets, or if all have expired. A ticket names the items that were open when it was fetched. */
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
