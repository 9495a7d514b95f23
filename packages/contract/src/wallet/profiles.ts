/** The names by which customers are shown to and found by others (decision 0067). */
import { z } from 'zod';
import { NAME_LENGTH_MAX } from '@athos/domain/display-name';
import type { Calls } from '../call.ts';
import { acceptedAnswer, assetName, positiveUnitsText, timeText, uuidParam } from '../values.ts';

/** Longer than any valid text, so that the server can refuse it with a reason. */
const TEXT_LENGTH_MAX = 200;
const LABEL_LENGTH_MAX = 40;
const NOTE_LENGTH_MAX = 100;

/** Text on one line, without control characters and without marks that change the direction. */
const plainText = (lengthMax: number) =>
  z
    .string()
    .trim()
    .max(lengthMax, `must have at most ${lengthMax} characters`)
    .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u, 'must be text in one line');

const profile = z
  .object({
    display_name: z.string().nullable(),
    /** Whether senders to this account see the name. */
    shows_name: z.boolean(),
    /** Without the `@`. */
    handle: z.string().nullable(),
    /** The time from which another one can be chosen; null if one can be chosen now. */
    handle_changes_at: timeText.nullable(),
    /** Whether others can find this account by its handle. */
    is_findable: z.boolean(),
  })
  .meta({ id: 'PublicProfile' });

/** The payment that the owner of a link asks for. */
export const payDetails = {
  amount: positiveUnitsText.nullable(),
  asset: assetName,
  note: z.string(),
};

const payCode = z.object({
  id: z.string(),
  label: z.string(),
  ...payDetails,
  link: z.string(),
  made_at: timeText,
});

export const profileCalls = {
  publicProfile: {
    method: 'GET',
    path: '/account/public_profile',
    auth: 'user',
    summary: 'How others see and find this account',
    answer: profile,
  },
  setDisplayName: {
    method: 'POST',
    path: '/account/display_name',
    auth: 'user',
    summary: 'Choose a display name, and whether it is shown',
    body: z
      .object({
        /** null removes the name. */
        display_name: z
          .string()
          .max(TEXT_LENGTH_MAX, `must have at most ${NAME_LENGTH_MAX} characters`)
          .nullable(),
        shows_name: z.boolean(),
      })
      .meta({ id: 'DisplayNameRequest' }),
    answer: profile,
  },
  setHandle: {
    method: 'POST',
    path: '/account/handle',
    auth: 'user',
    summary: 'Choose a handle, and whether others find it',
    body: z
      .object({
        /** null removes the handle. A previous handle is blocked for a year. */
        handle: z.string().max(TEXT_LENGTH_MAX).nullable(),
        is_findable: z.boolean(),
      })
      .meta({ id: 'HandleRequest' }),
    answer: profile,
  },
  payCodes: {
    method: 'GET',
    path: '/account/pay_codes',
    auth: 'user',
    summary: 'Own pay links, newest first',
    answer: z.object({ pay_codes: z.array(payCode) }).meta({ id: 'PayCodes' }),
  },
  makePayCode: {
    method: 'POST',
    path: '/account/pay_codes',
    auth: 'user',
    summary: 'Make a pay link',
    body: z
      .object({
        /** Visible to the owner only. */
        label: plainText(LABEL_LENGTH_MAX).min(1, 'must not be empty'),
        amount: positiveUnitsText.optional(),
        asset: assetName.default('ATH'),
        /** Visible to payers. */
        note: plainText(NOTE_LENGTH_MAX).default(''),
      })
      .meta({ id: 'PayCodeRequest' }),
    answer: payCode.meta({ id: 'PayCode' }),
  },
  endPayCode: {
    method: 'POST',
    path: '/account/pay_codes/:id/end',
    auth: 'user',
    summary: 'End a pay link',
    params: uuidParam,
    answer: acceptedAnswer,
  },
} as const satisfies Calls;
