import type { OfferState } from '@athos/domain/offer-availability';
import { m } from '@athos/messages/messages';
import type { AdminAnswer } from '../../api/call.ts';
import type { Tone } from '../../kit/badge.tsx';

export type ConsoleOffer = AdminAnswer<'consoleOffer'>;
export type OfferFields = ConsoleOffer['fields'];
export type Choices = AdminAnswer<'offerChoices'>;
export type Category = AdminAnswer<'consoleCategory'>;

export const STATE_TITLES: Readonly<Record<OfferState, () => string>> = {
  draft: m.catalogue_state_draft,
  scheduled: m.catalogue_state_scheduled,
  live: m.catalogue_state_live,
  sold_out: m.catalogue_state_sold_out,
  ended: m.catalogue_state_ended,
  withdrawn: m.catalogue_state_withdrawn,
};

export const STATE_TONES: Readonly<Record<OfferState, Tone>> = {
  draft: 'neutral',
  scheduled: 'info',
  live: 'success',
  sold_out: 'danger',
  ended: 'neutral',
  withdrawn: 'danger',
};

/** Ordered by their numbers on the wire. */
export const KIND_TITLES = [
  m.marketplace_kind_product,
  m.marketplace_kind_event,
  m.marketplace_kind_discount,
  m.marketplace_kind_tip,
] as const;
export const TIP_KIND = 3;

export const OFFER_DISPLAYS: Readonly<Record<OfferFields['displayType'], () => string>> = {
  standard: m.catalogue_display_standard,
  wide: m.catalogue_display_wide,
  banner: m.catalogue_display_banner,
};

export const CATEGORY_DISPLAYS: Readonly<Record<Category['displayType'], () => string>> = {
  row: m.catalogue_display_row,
  grid: m.catalogue_display_grid,
  featured: m.catalogue_display_featured,
  list: m.catalogue_display_list,
};

export const optionsOf = (titles: Readonly<Record<string, () => string>>) =>
  Object.entries(titles).map(([value, title]) => ({ value, label: title() }));

/** `Drinks › Cold`. */
export const categoryPath = ({ path }: Choices['categories'][number]): string => path.join(' › ');
