/** Tickets, with which a phone shows codes without a network (decision 0059). */
import { z } from 'zod';
import type { Calls } from '../call.ts';
import { acceptedAnswer, timeText } from '../values.ts';

const LABEL_LENGTH_MAX = 60;
/** 33 bytes and 64 bytes as base64url. */
const publicKey = z.string().regex(/^[\w-]{44}$/, 'must be a compressed point of P-256');
const signature = z.string().regex(/^[\w-]{86}$/, 'must be a signature of 64 bytes');

const ticketPhone = z
  .object({ public_key: z.string(), label: z.string(), since: timeText })
  .meta({ id: 'TicketPhone' });

/** `conflicts`: codes of this account were redeemed twice. `held`: a hold stops redemption, online too. */
const withheld = z.discriminatedUnion('reason', [
  z.object({ reason: z.literal('conflicts'), until: timeText }),
  z.object({ reason: z.literal('held') }),
]);

export const ticketCalls = {
  registerTicketPhone: {
    method: 'POST',
    path: '/account/ticket_phone',
    auth: 'user',
    confirmed: true,
    summary: 'Make this phone the one that shows tickets',
    body: z
      .object({
        public_key: publicKey,
        /** The signature of the key over "phone-v1\\n" and the id of the session. */
        proof: signature,
        /** The phone's label. */
        label: z
          .string()
          .trim()
          .min(1)
          .max(LABEL_LENGTH_MAX)
          .regex(/^[^\p{Cc}\p{Cf}\p{Cs}]*$/u, 'must hold no invisible character'),
        /** Ends the tickets of the other phone. Without it, the request is refused if there is one. */
        move: z.boolean().optional(),
        /**
         * Set by a phone that registers by itself: also where the other phone has ended and a move would need a confirmation, the request
         * is refused with ticket_phone_elsewhere.
         */
        by_itself: z.boolean().optional(),
      })
      .meta({ id: 'TicketPhoneRequest' }),
    answer: ticketPhone,
  },
  endTicketPhone: {
    method: 'POST',
    path: '/account/ticket_phone/end',
    auth: 'user',
    summary: 'End every ticket of the account',
    answer: acceptedAnswer,
  },
  tickets: {
    method: 'GET',
    path: '/account/tickets',
    auth: 'user',
    summary: 'The tickets of the phone that shows them',
    answer: z
      .object({
        server_time: timeText,
        /** Null if no phone shows tickets. */
        phone: ticketPhone.nullable(),
        tickets: z.array(
          z.object({
            purchase_id: z.int(),
            /** Base64url, with its signature. */
            ticket: z.string(),
            valid_until: timeText,
          }),
        ),
        /** Why there are no tickets although there is a phone; absent if nothing is withheld. */
        withheld: withheld.optional(),
      })
      .meta({ id: 'Tickets' }),
  },
} as const satisfies Calls;
