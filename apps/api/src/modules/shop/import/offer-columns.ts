/** The columns of a file of offers, which an export writes and an import reads. */
import { offerFields, type OfferFields } from '@athos/contract/console/offer-fields';
import { OFFER_KINDS } from '@athos/contract/wallet/catalogue';
import { exactAthText, parseAmount, parseUnits } from '@athos/domain/money';
import type { Cell } from '../../../platform/files/csv.ts';

export interface Fault {
  /** Empty if the fault concerns the whole row. */
  readonly column: string;
  readonly message: string;
}

type Column = keyof OfferFields;

/** Reads the value of a cell; returns the message of a `Fault` if it has none. */
type Read = (text: string) => { readonly value: unknown } | { readonly message: string };

interface ColumnRule {
  readonly write: (fields: OfferFields) => Cell;
  readonly read: Read;
}

const KIND_NAMES = ['product', 'event', 'discount', 'tip'] as const satisfies Record<
  (typeof OFFER_KINDS)[keyof typeof OFFER_KINDS],
  string
>;

const priceCell = (units: string): string => exactAthText(parseUnits(units));

function readPrice(text: string): string | undefined {
  if (/^0*(\.0*)?$/.test(text.trim())) return '0';
  return parseAmount(text.trim(), 'ATH')?.toString();
}

const NO_PRICE = 'must be a price in ATH, such as 12.50';
const NO_MOMENT = 'must be a time such as 2026-12-01T18:00:00Z, or empty';

const readMoment: Read = (text) => {
  if (text === '') return { value: null };
  return Number.isNaN(Date.parse(text)) ? { message: NO_MOMENT } : { value: text };
};

const readCount =
  (whenEmpty: null | undefined): Read =>
  (text) => {
    if (text === '' && whenEmpty === null) return { value: null };
    return /^[1-9]\d{0,9}$/.test(text)
      ? { value: parseInt(text, 10) }
      : { message: 'must be a whole number above 0' };
  };

const readText: Read = (text) => ({ value: text });
const readOptionalText: Read = (text) => ({ value: text === '' ? null : text });
const count = (value: number | null): Cell => (value === null ? null : { number: `${value}` });

/** Reads windows such as `24 2026-11-23T10:00:00.000Z 2026-11-23T12:00:00.000Z`, separated by semicolons. */
const readWindows: Read = (text) => {
  const windows = text.split(';').flatMap((part) => {
    const [price = '', startsAt = '', endsAt = '', ...rest] = part.trim().split(/\s+/);
    if (price === '') return [];
    const units = readPrice(price);
    const isSound = units !== undefined && rest.length === 0;
    return [isSound ? { price: units, starts_at: startsAt, ends_at: endsAt } : undefined];
  });
  return windows.includes(undefined)
    ? { message: 'must be “price from until”, several with semicolons between' }
    : { value: windows };
};

const RULES: { readonly [Name in Column]: ColumnRule } = {
  category_id: { write: (offer) => count(offer.category_id), read: readCount(undefined) },
  kind: {
    write: ({ kind }) => KIND_NAMES[kind],
    read(text) {
      const kind = KIND_NAMES.findIndex((name) => name === text.toLowerCase());
      return kind < 0 ? { message: `must be one of ${KIND_NAMES.join(', ')}` } : { value: kind };
    },
  },
  title: { write: ({ title }) => title, read: readText },
  note: { write: ({ note }) => note, read: readText },
  price: {
    write: ({ price }) => ({ number: priceCell(price) }),
    read(text) {
      const units = readPrice(text);
      return units === undefined ? { message: NO_PRICE } : { value: units };
    },
  },
  price_windows: {
    write: ({ price_windows: windows }) =>
      windows.map((one) => `${priceCell(one.price)} ${one.starts_at} ${one.ends_at}`).join('; '),
    read: readWindows,
  },
  sale_starts_at: { write: (offer) => offer.sale_starts_at, read: readMoment },
  sale_ends_at: { write: (offer) => offer.sale_ends_at, read: readMoment },
  user_count_max: { write: (offer) => count(offer.user_count_max), read: readCount(null) },
  tier_id_min: { write: (offer) => count(offer.tier_id_min), read: readCount(null) },
  merchant_id: { write: (offer) => count(offer.merchant_id), read: readCount(null) },
  display_type: { write: (offer) => offer.display_type, read: readText },
  picture_id: { write: (offer) => offer.picture_id, read: readOptionalText },
  img: { write: ({ img }) => img, read: readText },
};

/** The columns in the order in which an export writes them, after the id. */
export const FIELD_COLUMNS = Object.keys(RULES) as readonly Column[];

/** Columns of an export that are not fields of the offer. An import ignores them. */
export const TOLD_COLUMNS = [
  'status',
  'category',
  'merchant',
  'price_units',
  'stock_left',
] as const;

/** An offer's cells, in the order of `FIELD_COLUMNS`. */
export const fieldCells = (fields: OfferFields): Cell[] =>
  FIELD_COLUMNS.map((name) => RULES[name].write(fields));

/** The defaults of a new offer for columns that the file leaves out. */
const NEW_OFFER: Partial<OfferFields> = {
  note: '',
  kind: OFFER_KINDS.Product,
  price_windows: [],
  sale_starts_at: null,
  sale_ends_at: null,
  user_count_max: null,
  tier_id_min: null,
  merchant_id: null,
  display_type: 'standard',
  picture_id: null,
  img: '',
};

const isColumn = (name: unknown): name is Column =>
  typeof name === 'string' && Object.hasOwn(RULES, name);

/** The fields of an offer according to the cells. Columns that the file leaves out keep their values. */
export function fieldsFrom(
  cells: ReadonlyMap<string, string>,
  present: OfferFields | undefined,
): { readonly fields: OfferFields } | { readonly faults: Fault[] } {
  const given: Record<string, unknown> = { ...(present ?? NEW_OFFER) };
  const faults: Fault[] = [];
  for (const [column, text] of cells) {
    if (!isColumn(column)) continue;
    const result = RULES[column].read(text);
    if ('value' in result) given[column] = result.value;
    else faults.push({ column, message: result.message });
  }
  if (faults.length > 0) return { faults };
  const parsed = offerFields.safeParse(given);
  if (parsed.success) return { fields: parsed.data };
  return {
    faults: parsed.error.issues.map(({ path: [name], message }) => ({
      column: isColumn(name) ? name : '',
      message: isColumn(name) && given[name] === undefined ? 'is missing' : message,
    })),
  };
}
