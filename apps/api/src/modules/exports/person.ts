/** A customer's data as a ZIP: the customer's identity, and every part of their past as JSON and as CSV. */
import type { TimelineEntry, TimelineKind } from '@athos/contract/console/customers';
import type { TimelineSource } from '../../capability.ts';
import { csvHead, csvLines, type Cell } from '../../platform/files/csv.ts';
import { ZipWriter } from '../../platform/files/zip.ts';
import { presentCustomer, readTimeline, type PresentDeps } from '../customers/index.ts';
import type { FoundUser } from '../identity/index.ts';
import { amountCells, decimalCents } from './export-list.ts';

export interface PersonDeps extends PresentDeps {
  readonly timelineSources: readonly TimelineSource[];
}

/** All kinds except `staff`, whose entries are about staff. */
type PersonKind = Exclude<TimelineKind, 'staff'>;
type Flat = Readonly<Record<string, Cell>>;

const PAGE_LIMIT = 100;

const cents = (amount: number): Cell => ({ number: decimalCents(BigInt(amount)) });
const count = (value: number): Cell => ({ number: String(value) });

function movementCells(entry: TimelineEntry): Flat {
  if (entry.kind !== 'movement' || !('amount' in entry.data.data)) return {};
  const { type, data } = entry.data;
  const [amount = null, units = null] = amountCells(data.amount);
  return {
    type,
    amount,
    amount_units: units,
    asset: data.asset,
    counterparty: data.counterparty,
    reason: data.reason ?? null,
    status: type === 'Send' ? (data.state ?? null) : null,
  };
}

function paymentCells(entry: TimelineEntry): Flat {
  if (entry.kind !== 'payment' || entry.data.type !== 'Payment') return {};
  const { data } = entry.data;
  const [tokens = null, units = null] = amountCells(data.token_amount);
  return {
    tokens,
    tokens_units: units,
    paid_usd: cents(data.amount_paid),
    processing_fee_usd: cents(data.tx_fee),
    programme_fee_usd: cents(data.athos_fee),
    status: data.stripe_status === 1 ? 'credited' : 'canceled',
  };
}

function purchaseCells(entry: TimelineEntry): Flat {
  if (entry.kind !== 'purchase' || entry.data.type !== 'Purchase') return {};
  const { data } = entry.data;
  return {
    offer: data.offer.title,
    items: count(data.offer_count),
    price_ath: cents(data.offer_amount),
  };
}

function scanCells(entry: TimelineEntry): Flat {
  if (entry.kind !== 'scan') return {};
  const { action, outcome, venue, item_count, redeemed_count, titles } = entry.data;
  return {
    action,
    status: outcome,
    venue,
    items: count(item_count),
    redeemed: count(redeemed_count),
    titles: titles.join('; '),
  };
}

/** The columns of each kind in addition to `at` and `id`, and the cells of an entry. */
const CELLS: Readonly<
  Record<PersonKind, readonly [columns: readonly string[], cells: (entry: TimelineEntry) => Flat]>
> = {
  movement: [
    ['type', 'amount', 'amount_units', 'asset', 'counterparty', 'reason', 'status'],
    movementCells,
  ],
  payment: [
    ['tokens', 'tokens_units', 'paid_usd', 'processing_fee_usd', 'programme_fee_usd', 'status'],
    paymentCells,
  ],
  purchase: [['offer', 'items', 'price_ath'], purchaseCells],
  sign_in: [
    ['ended_at'],
    (entry) => (entry.kind === 'sign_in' ? { ended_at: entry.data.ended_at } : {}),
  ],
  scan: [['action', 'status', 'venue', 'items', 'redeemed', 'titles'], scanCells],
  terms: [['version'], (entry) => (entry.kind === 'terms' ? { version: entry.data.version } : {})],
  mail: [['template'], (entry) => (entry.kind === 'mail' ? { template: entry.data.template } : {})],
  note: [['text'], (entry) => (entry.kind === 'note' ? { text: entry.data.text } : {})],
};

/** Reads all entries of one kind, newest first, page by page. */
async function* pagesOf(
  { db, timelineSources }: PersonDeps,
  { id: userId, uuid: userUuid }: FoundUser,
  kind: PersonKind,
): AsyncGenerator<readonly TimelineEntry[]> {
  let positions: readonly string[] | undefined;
  do {
    const query = { userId, userUuid, kind, limit: PAGE_LIMIT, positions };
    const { entries, next } = await readTimeline(db, timelineSources, query);
    yield entries;
    positions = next;
  } while (positions !== undefined);
}

/** A note is data about the person; its author is not. */
const withoutStaff = (entry: TimelineEntry): TimelineEntry =>
  entry.kind === 'note' ? { ...entry, data: { ...entry.data, staff: null } } : entry;

async function* asJson(
  pages: AsyncIterable<readonly TimelineEntry[]>,
  onRows: (count: number) => void,
): AsyncGenerator<Buffer> {
  let separator = '[\n';
  for await (const entries of pages) {
    onRows(entries.length);
    for (const entry of entries) {
      yield Buffer.from(separator + JSON.stringify(withoutStaff(entry)));
      separator = ',\n';
    }
  }
  yield Buffer.from(separator === '[\n' ? '[]\n' : '\n]\n');
}

async function* asCsv(
  pages: AsyncIterable<readonly TimelineEntry[]>,
  kind: PersonKind,
): AsyncGenerator<Buffer> {
  const [columns, cellsOf] = CELLS[kind];
  yield Buffer.from(csvHead(['at', 'id', ...columns]));
  for await (const entries of pages) {
    const lines = entries.map((entry) => {
      const cells = cellsOf(entry);
      return [entry.at, entry.id, ...columns.map((column) => cells[column] ?? null)];
    });
    yield Buffer.from(csvLines(lines));
  }
}

async function* one(text: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(text));
}

/** Returns the number of entries written. */
export async function writePerson(
  deps: PersonDeps,
  user: FoundUser,
  write: (bytes: Buffer) => Promise<void>,
): Promise<bigint> {
  let rowCount = 0n;
  const zip = new ZipWriter(write);
  const presented = await presentCustomer(deps, user, { walletUuid: null });
  const { is_own: _own, recovery, ...profile } = presented;
  const told = {
    ...profile,
    email: user.email,
    recovery: recovery === null ? null : { ...recovery, approval_id: undefined },
  };
  await zip.add('profile.json', one(`${JSON.stringify(told, null, 2)}\n`));
  for (const kind of Object.keys(CELLS) as PersonKind[]) {
    const onRows = (rows: number): void => void (rowCount += BigInt(rows));
    await zip.add(`${kind}.json`, asJson(pagesOf(deps, user, kind), onRows));
    await zip.add(`${kind}.csv`, asCsv(pagesOf(deps, user, kind), kind));
  }
  await zip.end();
  return rowCount;
}
