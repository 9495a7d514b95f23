/** Tickets of the requesting phone, and of another one. */
import { toBase64url } from '@athos/domain/base64url';
import { encodeTicket } from '@athos/domain/ticket-code';
import type { AnswerOf, BodyOf } from '@athos/contract/api';

const HOUR_MS = 60 * 60_000;
const VALID_HOURS = 48;
const SIGNATURE_LENGTH = 64;

const phoneOf = (publicKey: string, label: string) => ({
  public_key: publicKey,
  label,
  since: new Date(Date.now() - HOUR_MS).toISOString(),
});

type Groups = { offerId: number; firstItemId: number; itemCount: number }[];

/** Consecutive ids form a group of one offer; the next group is of the next offer. */
const groupsOf = (itemIds: readonly number[]): Groups => {
  const groups: Groups = [];
  for (const id of itemIds) {
    const last = groups.at(-1);
    if (last !== undefined && last.firstItemId + last.itemCount === id) last.itemCount += 1;
    else groups.push({ offerId: groups.length + 1, firstItemId: id, itemCount: 1 });
  }
  return groups;
};

/** A ticket of purchase 1. Nobody verifies it, so its key and signature are arbitrary bytes. */
export function ticketOf(itemIds: readonly number[], ageMs = 60_000): Uint8Array<ArrayBuffer> {
  const body = encodeTicket({
    keyByte: 1,
    number: 7,
    holder: '0192aaaa',
    validFromS: Math.floor((Date.now() - ageMs) / 1000),
    validHours: VALID_HOURS,
    phoneKey: Uint8Array.from([2, ...new Uint8Array(32)]),
    groups: groupsOf(itemIds),
  });
  return Uint8Array.from([...body, ...new Uint8Array(SIGNATURE_LENGTH)]);
}

/** The requesting phone becomes the ticket phone and gets these tickets of purchase 1, each given by its items. */
export const ticketAnswers = (...itemsOfTickets: readonly (readonly number[])[]) =>
  answersWith(itemsOfTickets.map((itemIds) => ticketOf(itemIds)));

/** The same with an expired ticket. */
export const overTicketAnswers = (itemIds: readonly number[]) =>
  answersWith([ticketOf(itemIds, (VALID_HOURS + 1) * HOUR_MS)]);

/** The requesting phone becomes the ticket phone, but its account gets no tickets. */
export function withheldAnswers(withheld: NonNullable<AnswerOf<'tickets'>['withheld']>) {
  const { tickets, registerTicketPhone } = answersWith([]);
  return { registerTicketPhone, tickets: () => ({ ...tickets(), withheld }) };
}

function answersWith(given: readonly Uint8Array<ArrayBuffer>[]) {
  let phone: ReturnType<typeof phoneOf> | null = null;
  return {
    registerTicketPhone: ({ body }: { readonly body: BodyOf<'registerTicketPhone'> }) =>
      (phone = phoneOf(body.public_key, body.label)),
    tickets: (): AnswerOf<'tickets'> => ({
      server_time: new Date().toISOString(),
      phone,
      tickets: given.map((ticket) => ({
        purchase_id: 1,
        ticket: toBase64url(ticket),
        valid_until: new Date(Date.now() + VALID_HOURS * HOUR_MS).toISOString(),
      })),
    }),
  };
}

export const OTHER_PHONE = (): AnswerOf<'tickets'> => ({
  server_time: new Date().toISOString(),
  phone: phoneOf('A'.repeat(44), 'iPhone'),
  tickets: [],
});
