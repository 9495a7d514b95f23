/** Checks the rows of a file of offers against the catalogue: the effect of each row, and its faults. */
import type { OfferImportFinding } from '@athos/contract/console/offer-imports';
import type { OfferFields } from '@athos/contract/console/offer-fields';
import type { Tx } from '../../../platform/database/database.ts';
import { selectMerchantChoices } from '../../merchants/index.ts';
import { selectTree } from '../catalogue/categories.sql.ts';
import { changedFields, kindFault } from '../catalogue/edit-offer.ts';
import { offerStateOf, type OfferState } from '../catalogue/read-offer.ts';
import { selectPriceWindows, selectStaffOffers } from '../catalogue/staff-offers.sql.ts';
import { selectStoredIds } from '../pictures/pictures.sql.ts';
import { selectTiers } from '../tiers/tiers.sql.ts';
import { fieldsFrom, type Fault } from './offer-columns.ts';
import type { CsvRow } from './read-csv.ts';

export interface CheckedRow {
  readonly row: number;
  readonly offerId: number | null;
  readonly title: string;
  readonly finding: OfferImportFinding;
  readonly faults: readonly Fault[];
  /** The offer after the row is applied; null if the row changes nothing. */
  readonly fields: OfferFields | null;
  readonly before: Partial<OfferFields>;
  readonly after: Partial<OfferFields>;
  readonly version: number | null;
}

/** More faults than anybody reads for one row. */
const FAULTS_SHOWN_MAX = 20;
const TITLE_SHOWN_MAX = 120;
const ID = /^[1-9]\d{0,9}$/;
const INT32_MAX = 2_147_483_647;

interface Known {
  readonly offers: ReadonlyMap<number, OfferState>;
  /** The ids to which an offer may refer, by column. */
  readonly named: {
    readonly category_id: ReadonlySet<unknown>;
    readonly tier_id_min: ReadonlySet<unknown>;
    readonly merchant_id: ReadonlySet<unknown>;
    readonly picture_id: ReadonlySet<unknown>;
  };
}

const idOf = ({ cells }: CsvRow): number | undefined => {
  const text = cells.get('id')?.trim() ?? '';
  const id = ID.test(text) ? parseInt(text, 10) : undefined;
  return id !== undefined && id <= INT32_MAX ? id : undefined;
};

async function readOffers(tx: Tx, ids: readonly number[]): Promise<Known['offers']> {
  const windows = Map.groupBy(await selectPriceWindows(tx, ids), ({ offer_id: id }) => id);
  const rows = await selectStaffOffers(tx, ids);
  return new Map(rows.map((row) => [row.id, offerStateOf(row, windows.get(row.id) ?? [])]));
}

async function readKnown(tx: Tx, rows: readonly CsvRow[]): Promise<Known> {
  const pictureIds = new Set(rows.flatMap(({ cells }) => cells.get('picture_id') ?? []));
  const open = <Row extends { id: number; archived_at: Date | null }>(found: readonly Row[]) =>
    new Set<unknown>(found.flatMap(({ id, archived_at: at }) => (at === null ? id : [])));
  return {
    offers: await readOffers(
      tx,
      rows.flatMap((row) => idOf(row) ?? []),
    ),
    named: {
      category_id: open(await selectTree(tx)),
      merchant_id: open(await selectMerchantChoices(tx)),
      tier_id_min: new Set((await selectTiers(tx)).map(({ id }) => id)),
      picture_id: new Set(await selectStoredIds(tx, [...pictureIds])),
    },
  };
}

/** The references among the new values that do not exist or are archived. Existing references of an offer are not checked. */
const namingFaults = (after: Partial<OfferFields>, { named }: Known): Fault[] =>
  (Object.keys(named) as (keyof Known['named'])[]).flatMap((column) => {
    const id = after[column];
    if (id === undefined || id === null || named[column].has(id)) return [];
    return [{ column, message: 'names nothing that exists, or something archived' }];
  });

function checkRow(csv: CsvRow, known: Known, seen: Map<number, number>): CheckedRow {
  const idText = csv.cells.get('id')?.trim() ?? '';
  const offerId = idOf(csv) ?? null;
  const offer = offerId === null ? undefined : known.offers.get(offerId);
  const present = offer === undefined ? undefined : (offer.draft ?? offer.fields);
  const shown = {
    row: csv.row,
    offerId,
    title: (csv.cells.get('title') ?? present?.title ?? '').slice(0, TITLE_SHOWN_MAX),
    version: offer?.row.version ?? null,
  };
  const faulty = (...faults: Fault[]): CheckedRow => ({
    ...shown,
    finding: 'fault',
    faults: faults.slice(0, FAULTS_SHOWN_MAX),
    fields: null,
    before: {},
    after: {},
  });
  if (csv.isRagged) {
    return faulty({ column: '', message: 'has more or fewer cells than the header' });
  }
  if (idText !== '' && offer === undefined) {
    return faulty({ column: 'id', message: 'must be the id of an offer, or empty for a new one' });
  }
  const before = offerId === null ? undefined : seen.get(offerId);
  if (before !== undefined) {
    return faulty({ column: 'id', message: `is the offer of row ${before} too` });
  }
  if (offerId !== null) seen.set(offerId, csv.row);
  const read = fieldsFrom(csv.cells, present);
  if ('faults' in read) return faulty(...read.faults);
  const { fields } = read;
  if (offer === undefined || present === undefined) {
    const faults = namingFaults(fields, known);
    if (faults.length > 0) return faulty(...faults);
    return { ...shown, finding: 'new', faults: [], fields, before: {}, after: fields };
  }
  const changed = changedFields(present, fields);
  const kind = kindFault(offer, fields.kind);
  const faults = namingFaults(changed.after, known);
  if (kind !== undefined) faults.push({ column: 'kind', message: kind });
  if (faults.length > 0) return faulty(...faults);
  return changed.isNone
    ? { ...shown, finding: 'same', faults: [], fields: null, before: {}, after: {} }
    : {
        ...shown,
        finding: 'change',
        faults: [],
        fields,
        before: changed.before,
        after: changed.after,
      };
}

/** Checks the rows in the order of the file. Changes of the catalogue after this are noticed when the rows are applied. */
export async function checkRows(tx: Tx, rows: readonly CsvRow[]): Promise<CheckedRow[]> {
  const known = await readKnown(tx, rows);
  const seen = new Map<number, number>();
  return rows.map((row) => checkRow(row, known, seen));
}
