import { z } from 'zod';
import type { Calls } from '../call.ts';
import { payDetails } from './profiles.ts';
import { UNDO_SECONDS_MAX } from '../programme.ts';
import {
  assetName,
  balances,
  positiveUnitsText,
  timeText,
  unitsText,
  uuidParam,
  uuidText,
} from '../values.ts';

/** An account's code has some 180 characters. */
const SIGNED_QR_LENGTH_MAX = 512;

/** A send that can be undone until `post_at`. */
const hold = z.object({ id: z.string(), post_at: timeText });

export const transferCalls = {
  balance: {
    method: 'GET',
    path: '/account/balance',
    auth: 'user',
    summary: 'The balance in each asset',
    answer: z.object({ balance: unitsText, balances }).meta({ id: 'Balance' }),
  },
  recipient: {
    method: 'POST',
    path: '/account/recipient',
    auth: 'user',
    summary: 'Look up who would receive a send',
    /** An address, a handle with its `@`, or the code of a pay link. */
    body: z.object({ text: z.string().max(200) }).meta({ id: 'RecipientRequest' }),
    /**
     * `uuid` is null unless the recipient exists. Nothing tells an account that never was from one that is closed or hidden, or from a
     * pay link that was ended.
     */
    answer: z
      .object({
        exists: z.boolean(),
        uuid: z.string().nullable(),
        /** What they call themselves, where they let it be seen. */
        name: z.string().optional(),
        /** The first sign of that name, as it stands in a picture's place. */
        initial: z.string().optional(),
        /** No send of the caller has arrived there. Only where the recipient exists. */
        is_first_time: z.boolean().optional(),
        /** What the owner of a pay link asks for. */
        pay: z.object(payDetails).optional(),
      })
      .meta({ id: 'Recipient' }),
  },
  pastSends: {
    method: 'GET',
    path: '/account/recipient/:id/past',
    auth: 'user',
    summary: 'What own earlier sends say about an address',
    params: uuidParam,
    answer: z
      .object({
        /** No send of the caller has arrived there. Says nothing about whether anybody has this address. */
        is_first_time: z.boolean(),
        /** An address that the caller has sent to, and that begins or ends like this one. Never if it is known itself. */
        looks_like: z.string().nullable(),
        /** For how many seconds a send can be undone that is the first one, is to a look-alike or is unusual. 0: it arrives at once. */
        warned_seconds: z.int().optional(),
      })
      .meta({ id: 'PastSends' }),
  },
  transfer: {
    method: 'POST',
    path: '/account/transfer',
    auth: 'user',
    keyed: true,
    confirmed: true,
    needsTerms: true,
    summary: 'Send to another user',
    body: z
      .object({
        amount: positiveUnitsText,
        to_uuid: uuidText,
        asset: assetName.default('ATH'),
        /** How long the sender can take the amount back before it arrives. Absent or 0: it arrives at once. */
        undo_seconds: z.int().min(0).max(UNDO_SECONDS_MAX).optional(),
        /**
         * Leaves it to the server for how long the send can be undone. `undo_seconds` is then what the sender chose, instead of the
         * programme's time.
         */
        undo: z
          .object({
            /**
             * The sender was warned of the receiver or of the amount: they have the programme's longer time. They have it as well where the
             * server finds that nothing of theirs has arrived there, or that the amount is unusual.
             */
            warned: z.boolean(),
            /** The text of the signed code that was scanned from the receiver's screen. A fresh one lets the amount arrive at once. */
            met: z.string().max(SIGNED_QR_LENGTH_MAX).optional(),
          })
          .optional(),
      })
      .meta({ id: 'TransferRequest' }),
    answer: z
      .object({
        id: z.int(),
        balance: unitsText,
        hold: hold
          .extend({
            /** No send of the caller had arrived there before. Only where `undo` left the time to the server. */
            is_first_time: z.boolean().optional(),
          })
          .optional(),
      })
      .meta({ id: 'Transfer' }),
  },
  holds: {
    method: 'GET',
    path: '/account/holds',
    auth: 'user',
    summary: 'Sends that have not arrived yet',
    answer: z
      .object({
        /** By this clock `post_at` comes. */
        server_time: timeText,
        /** Own sends, the last one to arrive first. */
        sent: z.array(hold.extend({ to_uuid: z.string(), amount: unitsText, asset: assetName })),
        /** What others have sent, in each asset. */
        arriving: balances,
      })
      .meta({ id: 'SendHolds' }),
  },
  undoHold: {
    method: 'POST',
    path: '/account/holds/:id/undo',
    auth: 'user',
    keyed: true,
    summary: 'Take back a send that has not arrived yet',
    params: uuidParam,
    /** `state` is `returned` if the amount was back before anybody asked. */
    answer: z
      .object({ state: z.enum(['taken_back', 'returned']), balance: unitsText })
      .meta({ id: 'UndoneSend' }),
  },
  sign: {
    method: 'POST',
    path: '/account/sign',
    auth: 'user',
    summary: 'Sign the payload of a QR code',
    body: z.object({ data: z.string().max(2048) }).meta({ id: 'SignRequest' }),
    answer: z.object({ signature: z.string() }).meta({ id: 'Signature' }),
  },
} as const satisfies Calls;
