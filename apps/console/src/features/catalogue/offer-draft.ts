/** An offer as typed, and as the call requires it. */
import { exactAthText, parseAmount, parseUnits } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { localMoment, momentOf } from '../../kit/days.ts';
import { TIP_KIND, type OfferFields } from './catalogue-words.ts';

export interface TypedWindow {
  /** Identifies a row of fields while others are removed. */
  readonly key: number;
  readonly price: string;
  readonly from: string;
  readonly until: string;
}

export interface OfferDraft extends Pick<OfferFields, 'title' | 'note' | 'img' | 'pictureId'> {
  readonly categoryId: string;
  readonly kind: string;
  readonly displayType: OfferFields['displayType'];
  readonly price: string;
  readonly windows: readonly TypedWindow[];
  readonly saleFrom: string;
  readonly saleUntil: string;
  readonly userMax: string;
  readonly tierId: string;
  readonly merchantId: string;
}

export const NEW_OFFER: OfferDraft = {
  title: '',
  note: '',
  img: '',
  pictureId: null,
  categoryId: '',
  kind: '0',
  displayType: 'standard',
  price: '',
  windows: [],
  saleFrom: '',
  saleUntil: '',
  userMax: '',
  tierId: '',
  merchantId: '',
};

const momentText = (at: string | null, zone: string): string =>
  at === null ? '' : localMoment(at, zone);
const priceText = (units: string): string => (units === '0' ? '' : exactAthText(parseUnits(units)));

export const draftOf = (fields: OfferFields, zone: string): OfferDraft => ({
  title: fields.title,
  note: fields.note,
  img: fields.img,
  pictureId: fields.pictureId,
  categoryId: String(fields.categoryId),
  kind: String(fields.kind),
  displayType: fields.displayType,
  price: priceText(fields.price),
  windows: fields.priceWindows.map(({ price, startsAt, endsAt }, key) => ({
    key,
    price: priceText(price),
    from: localMoment(startsAt, zone),
    until: localMoment(endsAt, zone),
  })),
  saleFrom: momentText(fields.saleStartsAt, zone),
  saleUntil: momentText(fields.saleEndsAt, zone),
  userMax: fields.userCountMax === null ? '' : String(fields.userCountMax),
  tierId: fields.tierIdMin === null ? '' : String(fields.tierIdMin),
  merchantId: fields.merchantId === null ? '' : String(fields.merchantId),
});

/** The reason why it cannot be saved yet. The server checks the rest. */
export function faultIn(draft: OfferDraft): string | undefined {
  if (draft.title.trim() === '') return m.catalogue_missing_title();
  if (draft.categoryId === '') return m.catalogue_missing_category();
  const isTip = draft.kind === String(TIP_KIND);
  const prices = isTip ? [] : [draft.price, ...draft.windows.map(({ price }) => price)];
  if (prices.some((price) => parseAmount(price, 'ATH') === undefined)) {
    return m.catalogue_invalid_price();
  }
  if (!isTip && draft.windows.some(({ from, until }) => from === '' || until === '')) {
    return m.catalogue_invalid_moment();
  }
  return /^(|[1-9]\d{0,6})$/.test(draft.userMax) ? undefined : m.catalogue_invalid_count();
}

const sentMoment = (text: string, zone: string): string | null =>
  text === '' ? null : (momentOf(text, zone) ?? null);
const sentPrice = (text: string): string => parseAmount(text, 'ATH')?.toString() ?? '';
const sentNumber = (text: string): number | null =>
  text === '' ? null : Number.parseInt(text, 10);

/** The fields of a draft without faults. */
export function fieldsOf(draft: OfferDraft, zone: string): OfferFields {
  const isTip = draft.kind === String(TIP_KIND);
  return {
    title: draft.title.trim(),
    note: draft.note,
    img: draft.img.trim(),
    pictureId: draft.pictureId,
    categoryId: Number.parseInt(draft.categoryId, 10),
    kind: Number.parseInt(draft.kind, 10) as OfferFields['kind'],
    displayType: draft.displayType,
    price: isTip ? '0' : sentPrice(draft.price),
    priceWindows: isTip
      ? []
      : draft.windows.map(({ price, from, until }) => ({
          price: sentPrice(price),
          startsAt: sentMoment(from, zone) ?? '',
          endsAt: sentMoment(until, zone) ?? '',
        })),
    saleStartsAt: sentMoment(draft.saleFrom, zone),
    saleEndsAt: sentMoment(draft.saleUntil, zone),
    userCountMax: isTip ? null : sentNumber(draft.userMax),
    tierIdMin: sentNumber(draft.tierId),
    merchantId: isTip ? null : sentNumber(draft.merchantId),
  };
}
