/**
 * Items whose redemption was sent to the server with an unknown outcome. They are not redeemed without a network, because the server may
 * have redeemed them. A list made later by the server settles them.
 */
import { openStored, type StoredValue } from '@athos/app-core/stored-value';

interface Unsure {
  readonly itemIds: readonly number[];
  /** By the server's clock, as far as this device knows it. */
  readonly sentAtMs: number;
}

/** Longer than the server may take for any request. */
const SETTLED_AFTER_MS = 120_000;
/** More uncertain redemptions than one device has in a day. */
const COUNT_MAX = 100;
const NONE: readonly Unsure[] = [];

const isUnsure = (value: unknown): value is Unsure =>
  typeof value === 'object' && value !== null && 'itemIds' in value && 'sentAtMs' in value;

const stored: StoredValue<readonly Unsure[]> = openStored({
  key: 'scanner-unsure',
  empty: NONE,
  parse: (value) => (Array.isArray(value) ? value.filter(isUnsure) : undefined),
});

const without = (all: readonly Unsure[], itemIds: readonly number[]): readonly Unsure[] =>
  all.filter((one) => !one.itemIds.some((id) => itemIds.includes(id)));

/** Called before the request is sent. */
export const rememberUnsure = (itemIds: readonly number[], sentAtMs: number): void =>
  stored.change((all) => [{ itemIds, sentAtMs }, ...without(all, itemIds)].slice(0, COUNT_MAX));

/** Called when the server has responded for these items. */
export const forgetUnsure = (itemIds: readonly number[]): void =>
  stored.change((all) => without(all, itemIds));

/** The items that a list made by the server at `listMadeAtMs` does not settle. */
export const unsureItems = (listMadeAtMs: number): ReadonlySet<number> =>
  new Set(
    stored
      .read()
      .filter(({ sentAtMs }) => sentAtMs + SETTLED_AFTER_MS > listMadeAtMs)
      .flatMap(({ itemIds }) => itemIds),
  );
