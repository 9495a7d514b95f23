import { z } from 'zod';
import type { Calls } from '../call.ts';
import { assetName, balances, positiveUnitsText, unitsText, uuidText } from '../values.ts';

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
    body: z.object({ text: z.string().max(200) }).meta({ id: 'RecipientRequest' }),
    /** `uuid` is null unless the recipient exists. Nothing tells a closed account from one that never was. */
    answer: z
      .object({ exists: z.boolean(), uuid: z.string().nullable() })
      .meta({ id: 'Recipient' }),
  },
  transfer: {
    method: 'POST',
    path: '/account/transfer',
    auth: 'user',
    keyed: true,
    needsTerms: true,
    summary: 'Send to another user',
    body: z
      .object({ amount: positiveUnitsText, to_uuid: uuidText, asset: assetName.default('ATH') })
      .meta({ id: 'TransferRequest' }),
    answer: z.object({ id: z.int(), balance: unitsText }).meta({ id: 'Transfer' }),
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
