/** Tickets of the phone that asks, and of another one. */
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

/** A ticket of purchase 1. Nobody verifies it, so its key and signature are any bytes. */
function ticketOf(itemIds: readonly number[]): string {
  const body = encodeTicket({
    keyByte: 1,
    number: 7,
    holder: '0192aaaa',
    validFromS: Math.floor(Date.now() / 1000) - 60,
    validHours: VALID_HOURS,
    phoneKey: Uint8Array.from([2, ...new Uint8Array(32)]),
    groups: itemIds.map((firstItemId, index) => ({
      offerId: index + 1,
      firstItemId,
      itemCount: 1,
    })),
  });
  return toBase64url(Uint8Array.from([...body, ...new Uint8Array(SIGNATURE_LENGTH)]));
}

/** Whichever phone asks becomes the ticket phone, and is given a ticket for these items of purchase 1. */
export function ticketAnswers(itemIds: readonly number[]) {
  let phone: ReturnType<typeof phoneOf> | null = null;
  return {
    registerTicketPhone({ body }: { readonly body: BodyOf<'registerTicketPhone'> }) {
      return (phone = phoneOf(body.public_key, body.label));
    },
    tickets: (): AnswerOf<'tickets'> => ({
      server_time: new Date().toISOString(),
      phone,
      tickets: [
        {
          purchase_id: 1,
          ticket: ticketOf(itemIds),
          valid_until: new Date(Date.now() + VALID_HOURS * HOUR_MS).toISOString(),
        },
      ],
    }),
  };
}

export const OTHER_PHONE = (): AnswerOf<'tickets'> => ({
  server_time: new Date().toISOString(),
  phone: phoneOf('A'.repeat(44), 'iPhone'),
  tickets: [],
});
