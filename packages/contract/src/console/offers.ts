/** Offers as staff edit them: drafts, publishing, prices and stock. */
import { z } from 'zod';
import { OFFER_STATES } from '@athos/domain/offer-availability';
import { picture, tier } from '../goods.ts';
import { smallId, smallIdParam, timeText, unitsText } from '../values.ts';
import { policyOutcome, reasonText } from './approvals.ts';
import { CATALOGUE_TITLE_LENGTH_MAX } from './categories.ts';
import type { ConsoleCalls } from './console-call.ts';
import { listOf, pageQuery } from './lists.ts';
import { offerFields, shownFields, STOCK_MAX } from './offer-fields.ts';

const stockCount = z.int().min(0).max(STOCK_MAX);

const staffName = z.object({ id: z.string(), name: z.string() });

export const STOCK_MOVE_KINDS = ['count', 'correction', 'refund', 'unlimited'] as const;

const stock = z.object({
  /** Null if the stock is unlimited. */
  left: z.int().nullable(),
  alert_max: z.int().nullable(),
  is_low: z.boolean(),
  /** The newest stock changes by staff, newest first, each with the number sold since the previous one. */
  moves: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(STOCK_MOVE_KINDS),
      before: z.int().nullable(),
      after: z.int().nullable(),
      /** Sold since the previous change; null if the stock was unlimited, or for the first change. */
      sold_before: z.int().nullable(),
      staff: staffName,
      reason: z.string(),
      at: timeText,
    }),
  ),
  /** Sold since the newest change; null as above. */
  sold_since: z.int().nullable(),
});

const offer = z
  .object({
    id: z.int(),
    version: z.int(),
    state: z.enum(OFFER_STATES),
    /** The current price: that of a price window, or the offer's own. */
    price_now: unitsText,
    category_title: z.string(),
    merchant_name: z.string().nullable(),
    fields: shownFields,
    picture: picture.nullable(),
    /** Unpublished changes of a published offer. */
    draft: z
      .object({
        fields: shownFields,
        picture: picture.nullable(),
        saved_by: staffName,
        saved_at: timeText,
      })
      .nullable(),
    /** The publication request that waits for a vote. */
    request_id: z.string().nullable(),
    stock,
  })
  .meta({ id: 'ConsoleOffer' });

const offerSummary = z
  .object({
    id: z.int(),
    title: z.string(),
    state: z.enum(OFFER_STATES),
    kind: z.int(),
    category: z.object({ id: z.int(), title: z.string() }),
    price_now: unitsText,
    stock_left: z.int().nullable(),
    is_stock_low: z.boolean(),
    has_draft: z.boolean(),
  })
  .meta({ id: 'ConsoleOfferSummary' });

const edit = { auth: 'console', permission: 'catalogue.edit' } as const;
const publish = { auth: 'console', permission: 'catalogue.publish' } as const;

export const offerFilters = {
  state: z.enum(OFFER_STATES).optional(),
  /** Only the category itself, without those below it. */
  category_id: z.coerce.number().pipe(smallId).optional(),
  merchant_id: z.coerce.number().pipe(smallId).optional(),
  stock: z.literal('low').optional(),
  draft: z.literal('open').optional(),
  q: z.string().max(CATALOGUE_TITLE_LENGTH_MAX).optional(),
};

export const offerCalls = {
  consoleOffers: {
    method: 'GET',
    path: '/admin/offers',
    auth: 'console',
    permission: 'catalogue.read',
    summary: 'Offers',
    query: z.object({
      ...pageQuery,
      sort: z.enum(['newest', 'title']).default('newest'),
      ...offerFilters,
    }),
    answer: listOf(offerSummary),
  },
  consoleOffer: {
    method: 'GET',
    path: '/admin/offers/:id',
    auth: 'console',
    permission: 'catalogue.read',
    versioned: true,
    summary: 'One offer with its draft and its stock',
    params: smallIdParam,
    answer: offer,
  },
  offerChoices: {
    method: 'GET',
    path: '/admin/offer-choices',
    auth: 'console',
    permission: 'catalogue.read',
    summary: 'What an offer can name, and what its preview needs',
    answer: z.object({
      categories: z.array(
        z.object({
          id: z.int(),
          /** Includes the titles of the categories above it. */
          path: z.array(z.string()),
          is_archived: z.boolean(),
        }),
      ),
      tiers: z.array(tier),
      merchants: z.array(z.object({ id: z.int(), name: z.string(), is_archived: z.boolean() })),
      usd_per_ath: z.string().nullable(),
    }),
  },
  createOffer: {
    ...edit,
    method: 'POST',
    path: '/admin/offers',
    audit: { action: 'offer.create', subject: 'offer' },
    summary: 'Add an offer as a draft',
    body: offerFields,
    answer: offer,
  },
  saveOffer: {
    ...edit,
    method: 'PATCH',
    path: '/admin/offers/:id',
    versioned: true,
    audit: { action: 'offer.save', subject: 'offer' },
    summary: 'Save changes: of a published offer as a draft that customers do not see yet',
    params: smallIdParam,
    body: offerFields,
    answer: offer,
  },
  discardOfferDraft: {
    ...edit,
    method: 'DELETE',
    path: '/admin/offers/:id/draft',
    versioned: true,
    audit: { action: 'offer.discard', subject: 'offer' },
    summary: 'Discard the unpublished changes of an offer',
    params: smallIdParam,
    answer: offer,
  },
  publishOffer: {
    ...publish,
    method: 'POST',
    path: '/admin/offers/:id/publish',
    versioned: true,
    proof: true,
    audit: { action: 'offer.publish', subject: 'offer' },
    summary: 'Publish a draft, or put a withdrawn offer back, within the policy or by request',
    params: smallIdParam,
    body: z.object({ reason: reasonText }).meta({ id: 'PublishOffer' }),
    answer: policyOutcome({ version: z.int() }),
  },
  withdrawOffer: {
    ...publish,
    method: 'POST',
    path: '/admin/offers/:id/withdraw',
    versioned: true,
    audit: { action: 'offer.withdraw', subject: 'offer' },
    summary: 'Take an offer off sale at once',
    params: smallIdParam,
    body: z.object({ reason: reasonText }).meta({ id: 'WithdrawOffer' }),
    answer: offer,
  },
  changeStock: {
    method: 'POST',
    path: '/admin/offers/:id/stock',
    auth: 'console',
    permission: 'catalogue.stock',
    audit: { action: 'offer.stock', subject: 'offer' },
    summary: 'Count or correct the stock of an offer, or end its limit',
    params: smallIdParam,
    body: z
      .discriminatedUnion('kind', [
        z.object({
          kind: z.literal('count'),
          /** The counted number left to sell. */
          left: stockCount,
          /** The number shown as left when the count began. Sales since then are subtracted. Null if the stock was unlimited. */
          seen: stockCount.nullable(),
          reason: reasonText,
        }),
        z.object({
          kind: z.literal('correction'),
          change: z
            .int()
            .min(-STOCK_MAX)
            .max(STOCK_MAX)
            .refine((change) => change !== 0, 'must not be 0'),
          reason: reasonText,
        }),
        z.object({ kind: z.literal('unlimited'), reason: reasonText }),
      ])
      .meta({ id: 'ChangeStock' }),
    answer: offer,
  },
  setStockAlert: {
    method: 'PUT',
    path: '/admin/offers/:id/stock-alert',
    auth: 'console',
    permission: 'catalogue.stock',
    audit: { action: 'offer.stock_alert', subject: 'offer' },
    summary: 'Set how few may be left before staff are told',
    params: smallIdParam,
    body: z.object({ alert_max: stockCount.nullable() }).meta({ id: 'SetStockAlert' }),
    answer: offer,
  },
} as const satisfies ConsoleCalls;
