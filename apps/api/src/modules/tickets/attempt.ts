/**
 * The shared parts of scanning and redeeming: the facts, the guards, the state of each item, and the log of every attempt with its
 * outcome.
 */
import type { ScannedItemState } from '@athos/contract/scanner/calls';
import type { Ledger } from '../../ledger/index.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Notifications } from '../../platform/database/notifications.ts';
import { AppError } from '../../platform/errors.ts';
import type { SigningKeys } from '../../platform/keys/signing-keys.ts';
import type { ReadProgramme } from '../../platform/settings/programme-settings.ts';
import { imageOf, presentPictureOf } from '../../platform/storage/stored-picture.ts';
import type {
  AttemptFacts,
  AttemptNames,
  Claim,
  Holder,
  ItemRow,
  Venue,
} from './attempt-facts.sql.ts';
import {
  isFromFuture,
  isInTime,
  isPastTicket,
  readCode,
  redeemUntilMs,
  type ReadCode,
} from './read-code.ts';
import type { ReadFacts } from './read-facts.ts';
import { insertScan, type ScanRecord } from './scans.sql.ts';

export interface AttemptDeps {
  readonly db: Db;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly qrKeys: SigningKeys;
  readonly notifications: Notifications;
  readonly programme: ReadProgramme;
  readonly readFacts: ReadFacts;
}

export interface AttemptRequest {
  readonly action: ScanRecord['action'];
  readonly userId: bigint;
  readonly payload: string;
  /** `undefined` means the caller's only venue. */
  readonly venueId: number | undefined;
  /** The idempotency key of a redemption. */
  readonly key: string | null;
}

/** An attempt in progress. `record` is logged if it is refused. */
export interface Attempt {
  readonly record: ScanRecord;
  readonly names: AttemptNames;
  readonly facts: AttemptFacts;
  /** The code, or the reason why it cannot be read. */
  readonly code: ReadCode | AppError;
}

function tryToReadCode(keys: SigningKeys, payload: string): ReadCode | AppError {
  try {
    return readCode(keys, payload);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** Reads the code and the facts for the guards. Refuses nothing yet. */
export async function beginAttempt(
  { clock, qrKeys, readFacts }: AttemptDeps,
  { action, userId, payload, venueId, key }: AttemptRequest,
): Promise<Attempt> {
  const at = dateOf(clock);
  const code = tryToReadCode(qrKeys, payload);
  const isRead = !(code instanceof AppError);
  const names: AttemptNames = {
    userId,
    holderUuid: isRead ? code.holderUuid : null,
    ticket: isRead ? code.ticket : null,
    codeHash: isRead ? code.hash : null,
    key,
    itemIds: isRead ? code.itemIds : [],
  };
  const facts = await readFacts(names);
  const soleVenue = facts.venues.length === 1 ? facts.venues[0] : undefined;
  const record: ScanRecord = {
    action,
    userId,
    at,
    venueId: venueId ?? soleVenue?.id ?? null,
    outcome: 'ok',
    codeHash: names.codeHash,
    holderUserId: facts.holder?.userId ?? null,
    itemCount: names.itemIds.length,
    redeemedCount: 0,
    titles: [],
  };
  return { record, names, facts, code };
}

/** Runs the rest of an attempt. Logs a refusal and rethrows it. */
export async function logRefusal<T>(
  db: Db,
  { record }: Attempt,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof AppError) await insertScan(db, { ...record, outcome: error.code });
    throw error;
  }
}

/** Throws `staff_revoked`. The role in the session may be a minute old, so it is not used. */
export function requireStaff(venues: readonly Venue[]): void {
  if (venues.length === 0) {
    throw new AppError('staff_revoked', { detail: 'Ask an operator to give you a venue.' });
  }
}

/** Throws `venue_required` and `foreign_venue`. */
export function requireVenue(venues: readonly Venue[], venueId: number | undefined): Venue {
  const [venue] = venueId === undefined ? venues : venues.filter(({ id }) => id === venueId);
  if (venue === undefined) throw new AppError('foreign_venue');
  if (venueId === undefined && venues.length > 1) throw new AppError('venue_required');
  return venue;
}

export interface GoodCode {
  readonly code: ReadCode;
  readonly holder: Holder;
}

/**
 * Throws `unreadable_code`, `invalid_signature`, `wrong_code_kind` or `ticket_ended`. A code with our signature but an unknown
 * holder comes from another database.
 */
export function requireCode({ code, facts }: Attempt, kinds: readonly string[]): GoodCode {
  if (code instanceof AppError) throw code;
  if (facts.holder === undefined) throw new AppError('invalid_signature');
  if (!kinds.includes(code.kind)) throw new AppError('wrong_code_kind');
  if (facts.isTicketEnded) {
    throw new AppError('ticket_ended', { detail: 'Ask the guest for the code of a phone online.' });
  }
  return { code, holder: facts.holder };
}

/** Throws `code_replayed` if another scanner, or this one at another venue, has claimed the code. */
export function requireOwnClaim(claim: Claim | undefined, own: Claim): void {
  if (claim === undefined) return;
  if (claim.userId !== own.userId || claim.venueId !== own.venueId) {
    throw new AppError('code_replayed', { detail: 'Ask for a new code.' });
  }
}

/**
 * Throws `code_from_future` and `code_expired`. A code can be scanned until 30 s after its time; a scanner that scanned it in time may
 * redeem it until 120 s after its time.
 */
export function requireTime(
  code: ReadCode,
  at: Date,
  { mayRedeemLater }: { readonly mayRedeemLater: boolean },
): void {
  const nowMs = at.getTime();
  if (isFromFuture(code, nowMs)) throw new AppError('code_from_future');
  if (isPastTicket(code)) throw new AppError('code_expired', { detail: 'Ask for a new code.' });
  if (isInTime(code, nowMs) || (mayRedeemLater && nowMs <= redeemUntilMs(code))) return;
  throw new AppError('code_expired', { detail: 'Ask for a new code.' });
}

/**
 * Throws `account_restricted`: while redemption is held, for example after a chargeback, items bought with the returned money are not
 * handed out. The tier of such an account can still be shown.
 */
export function requireMayRedeem({ isClosed, accountState, isHeld }: Holder): void {
  // A closed account has no redeemable items, which `stateOf` reports for each item.
  const isWhole = accountState === 'open' || accountState === 'held';
  if (isClosed || (isWhole && !isHeld)) return;
  throw new AppError('account_restricted', {
    detail: 'Nothing was redeemed. The holder can ask support why.',
  });
}

export interface ScannedItem {
  readonly id: number;
  readonly state: ScannedItemState;
  readonly row: ItemRow | undefined;
}

/** The maximum number of titles that are logged. Titles vary little within a code, and the log is a list for people to read. */
const LOGGED_TITLES_MAX = 10;

/** The holder whose items are redeemed, and the venue. */
interface Handover {
  readonly holder: Holder;
  readonly venue: Venue;
}

/** Another user's item is reported like one that does not exist, and so are the items of a closed account. */
function stateOf(row: ItemRow | undefined, { holder, venue }: Handover): ScannedItemState {
  if (row === undefined || BigInt(row.user_id) !== holder.userId || holder.isClosed)
    return 'not_found';
  if (row.redeemed_at !== null) return 'already_redeemed';
  if (row.is_voided) return 'voided';
  if (!row.active) return 'inactive';
  if (row.venue_ids?.includes(venue.id) === false) return 'wrong_venue';
  return 'redeemable';
}

/** The items in the order of `itemIds`, each with its state. */
export function judgeItems(
  itemIds: readonly number[],
  rows: readonly ItemRow[],
  handover: Handover,
): readonly ScannedItem[] {
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return itemIds.map((id) => {
    const row = rowOf.get(id);
    const state = stateOf(row, handover);
    return { id, state, row: state === 'not_found' ? undefined : row };
  });
}

/** The item in the response, with its state before this attempt. */
export const presentItem = ({ row }: ScannedItem) => ({
  title: row?.title ?? '',
  img: row === undefined ? '' : imageOf(row, row.img),
  picture: row === undefined ? null : presentPictureOf(row),
  redeemed_at: row?.redeemed_at ? new Date(row.redeemed_at).toISOString() : null,
  redeemed_venue: row?.redeemed_venue ?? null,
});

/** The summary of the items for the log. The outcome is `ok` if any item can be redeemed, otherwise the state of the first one. */
export const summarizeItems = (items: readonly ScannedItem[]) => ({
  outcome: items.some(({ state }) => state === 'redeemable') ? 'ok' : (items[0]?.state ?? 'ok'),
  itemCount: items.length,
  titles: [...new Set(items.flatMap(({ row }) => (row === undefined ? [] : [row.title])))].slice(
    0,
    LOGGED_TITLES_MAX,
  ),
});
