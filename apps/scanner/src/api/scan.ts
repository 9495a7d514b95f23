/** Reads the content of a scanned code. Changes nothing, so it can be retried freely. */
import type { AnswerOf } from '@athos/contract/api';
import { isTemporary } from '@athos/client/errors';
import { outcomeOfError, type Outcome } from '@athos/client/outcome';
import { pause } from '@athos/client/pause';
import { client } from './http.ts';
import { readItem, type Item } from './item.ts';
import { asStaff } from './staff.ts';

type WireScan = AnswerOf<'scannerScan'>;
type WireItem = Extract<WireScan, { kind: 'purchase' }>['items'][number];

export interface Holder {
  /** The start of the holder's address. */
  readonly shortUuid: string;
  /** ISO 8601. */
  readonly memberSince: string;
}

export interface ScannedItem extends Item {
  readonly id: number;
  readonly state: WireItem['state'];
}

export interface PurchaseScan {
  readonly kind: 'purchase';
  readonly holder: Holder;
  /** ISO 8601, by the server's clock. */
  readonly redeemUntil: string;
  readonly items: readonly ScannedItem[];
}

export interface TierScan {
  readonly kind: 'tier';
  readonly holder: Holder;
  /** `null` below the lowest tier. */
  readonly tier: { readonly title: string; readonly colour: string } | null;
}

export type Scan = PurchaseScan | TierScan;

function readScan(scan: WireScan): Scan {
  const { short_uuid: shortUuid, member_since: memberSince } = scan.holder;
  const holder = { shortUuid, memberSince };
  if (scan.kind === 'purchase') {
    const items = scan.items.map((item) => ({
      id: item.id,
      state: item.state,
      ...readItem(item),
    }));
    return { kind: 'purchase', holder, redeemUntil: scan.redeem_until, items };
  }
  const { tier } = scan;
  return {
    kind: 'tier',
    holder,
    tier: tier === null ? null : { title: tier.title, colour: tier.color },
  };
}

const ATTEMPTS_MAX = 3;
const PAUSE_MS = 700;

/**
 * Tries up to three times, because a code is valid for only 30 s and the server judges it by the first request that
 * arrives. Rejects only when `signal` aborts.
 */
export async function scanCode(
  payload: string,
  venueId: number,
  signal: AbortSignal,
): Promise<Outcome<Scan>> {
  const body = { payload, venue_id: venueId };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const data = await asStaff(client.call('scannerScan', { body, signal }));
      return { status: 'done', data: readScan(data) };
    } catch (error) {
      signal.throwIfAborted();
      if (attempt === ATTEMPTS_MAX || !isTemporary(error)) return outcomeOfError(error, false);
    }
    await pause(PAUSE_MS, signal);
    signal.throwIfAborted();
  }
}

/** Milliseconds since 1970 by the server's clock, which decides when a code expires. */
export const serverNowMs = (): number => client.serverNowMs();
