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
    repeatable: true,
    summary: 'Look up who would receive a send',
    /** An address, a handle with its `@`, or the code of a pay link. */
    body: z.object({ text: z.string().max(200) }).meta({ id: 'RecipientRequest' }),
    /**
     * `uuid` is null unless the recipient exists. An account that never existed cannot be told apart from a
     * closed or hidden one, or from a pay link that was ended.
     */
    answer: z
      .object({
        exists: z.boolean(),
        uuid: z.string().nullable(),
        /** The user's display name, if they show it. */
        name: z.string().optional(),
        /** The first letter of that name, shown in place of a picture. */
        initial: z.string().optional(),
        /** Whether no send of the caller has arrived there. Set only if the recipient exists. */
        is_first_time: z.boolean().optional(),
        /** The payment that the owner of a pay link asks for. */
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
        /** Whether no send of the caller has arrived there. Says nothing about whether the address exists. */
        is_first_time: z.boolean(),
        /** An address that the caller has sent to, and that begins or ends like this one. Null if this address is itself known. */
        looks_like: z.string().nullable(),
        /**
         * Seconds during which a send can be undone that is the first one, goes to a look-alike or is unusual. 0 means that it arrives at
         * once.
         */
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
        /** Seconds during which the sender can take the amount back before it arrives. If absent or 0, it arrives at once. */
        undo_seconds: z.int().min(0).max(UNDO_SECONDS_MAX).optional(),
        /** Leaves the undo time to the server. `undo_seconds` is then the sender's own setting, which replaces the programme's time. */
        undo: z
          .object({
            /**
             * The sender was warned about the receiver or the amount, so the programme's longer undo time applies. It also applies if the
             * server finds that no send of theirs has arrived there, or that the amount is unusual.
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
            /** Whether no send of the caller had arrived there before. Set only if `undo` left the time to the server. */
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
        /** The server's clock, to which `post_at` refers. */
        server_time: timeText,
        /** The caller's own sends, the last one to arrive first. */
        sent: z.array(hold.extend({ to_uuid: z.string(), amount: unitsText, asset: assetName })),
        /** Incoming amounts from others, in each asset. */
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
    /** `state` is `returned` if the amount had already come back. */
    answer: z
      .object({ state: z.enum(['taken_back', 'returned']), balance: unitsText })
      .meta({ id: 'UndoneSend' }),
  },
  sign: {
    method: 'POST',
    path: '/account/sign',
    auth: 'user',
    repeatable: true,
    summary: 'Sign the payload of a QR code',
    body: z.object({ data: z.string().max(2048) }).meta({ id: 'SignRequest' }),
    answer: z.object({ signature: z.string() }).meta({ id: 'Signature' }),
  },
} as const satisfies Calls;
