/** The tiers as typed, highest first, as the wallet lists them. */
import { brand } from '@athos/brand/brand';
import { isReadableGround } from '@athos/domain/colour';
import {
  formatAthExact,
  formatAthRoundedUp,
  microAth,
  parseAth,
  parseUnits,
  wholeHundredths,
  type MicroAth,
} from '@athos/domain/money';
import { TIER_COUNT_MAX } from '@athos/domain/tiers';
import { m } from '@athos/messages/messages';
import type { AdminAnswer, AdminInput } from '../../api/call.ts';

export type Ladder = AdminAnswer<'consoleTiers'>;
export type LadderTier = Ladder['items'][number];

export interface TierDraft {
  /** Its id, or a negative number for a new one. */
  readonly key: number;
  readonly title: string;
  readonly amount: string;
  readonly color: string;
  readonly note: string;
}

/** A tier that can be drawn, submitted and compared. */
export interface ShownTier extends Omit<TierDraft, 'key' | 'amount'> {
  readonly id: number;
  readonly amountMicroAth: MicroAth;
}

export type TierField = 'title' | 'amount' | 'color';
/** By tier key, and within it by field. */
export type TierFaults = ReadonlyMap<number, Partial<Record<TierField, string>>>;

export const shownTier = ({ id, title, amount, color, note }: LadderTier): ShownTier => ({
  id,
  title,
  amountMicroAth: microAth(parseUnits(amount)),
  color,
  note,
});

/** A balance just sufficient for the tier. */
export const balanceFor = (tier: ShownTier | undefined): MicroAth =>
  tier?.amountMicroAth ?? microAth(0n);

export const draftsOf = ({ items }: Ladder): TierDraft[] =>
  items.toReversed().map(({ id, title, amount, color, note }) => ({
    key: id,
    title,
    amount: formatAthExact(microAth(parseUnits(amount))).replaceAll(',', ''),
    color,
    note,
  }));

/** A new tier below the one at `index`, or on top of all others. */
export function withNewTier(drafts: readonly TierDraft[], index: number): TierDraft[] {
  const key = Math.min(0, ...drafts.map((draft) => draft.key)) - 1;
  const [colour = '#000000'] = brand.colours.tiers.filter(
    (each) => !drafts.some((draft) => draft.color === each),
  );
  return drafts.toSpliced(index, 0, { key, title: '', amount: '', color: colour, note: '' });
}

export const fullReason = (drafts: readonly TierDraft[]): string | undefined =>
  drafts.length < TIER_COUNT_MAX ? undefined : m.ladder_full({ count: TIER_COUNT_MAX });

/** The typed threshold; `undefined` unless it is above 0 and in whole hundredths, as amounts are shown. */
function thresholdOf({ amount }: TierDraft): MicroAth | undefined {
  const units = parseAth(amount.trim().replaceAll(',', ''));
  return units === undefined || units === 0n || wholeHundredths(units) === undefined
    ? undefined
    : units;
}

function titleFault(draft: TierDraft, drafts: readonly TierDraft[]): string | undefined {
  const title = draft.title.trim();
  if (title === '') return m.ladder_fault_title();
  const isTaken = drafts.some(
    ({ key, title: other }) => key !== draft.key && other.trim() === title,
  );
  return isTaken ? m.ladder_fault_title_taken() : undefined;
}

function amountFault(draft: TierDraft, below: TierDraft | undefined): string | undefined {
  const amount = thresholdOf(draft);
  if (amount === undefined) return m.ladder_fault_amount();
  const other = below === undefined ? undefined : thresholdOf(below);
  if (below === undefined || other === undefined || amount > other) return undefined;
  return m.ladder_fault_order({ amount: formatAthRoundedUp(other), title: below.title });
}

function colourFault({ color }: TierDraft): string | undefined {
  if (!/^#[0-9a-f]{6}$/.test(color)) return m.ladder_fault_color();
  return isReadableGround(color, brand.colours.card) ? undefined : m.ladder_fault_contrast();
}

/** The faults that the server would refuse, by tier. */
export function faultsOf(drafts: readonly TierDraft[]): TierFaults {
  const faults = drafts.map((draft, index): [number, Partial<Record<TierField, string>>] => {
    const title = titleFault(draft, drafts);
    const amount = amountFault(draft, drafts[index + 1]);
    const color = colourFault(draft);
    return [
      draft.key,
      {
        ...(title !== undefined && { title }),
        ...(amount !== undefined && { amount }),
        ...(color !== undefined && { color }),
      },
    ];
  });
  return new Map(faults.filter(([, fields]) => Object.keys(fields).length > 0));
}

/** The drafts as tiers, highest first; `undefined` while a threshold or a colour is invalid. Titles may still be missing. */
export function shownDrafts(drafts: readonly TierDraft[]): ShownTier[] | undefined {
  const faults = faultsOf(drafts).values();
  if (faults.some(({ amount, color }) => amount !== undefined || color !== undefined)) {
    return undefined;
  }
  return drafts.flatMap((draft) => {
    const amountMicroAth = thresholdOf(draft);
    if (amountMicroAth === undefined) return [];
    const { key, title, color, note } = draft;
    return { id: key, title: title.trim() || m.ladder_tier_new(), amountMicroAth, color, note };
  });
}

/** The body of the call, lowest first. */
export const wantedOf = (
  drafts: readonly TierDraft[],
): AdminInput<'changeTiers'>['body']['tiers'] =>
  drafts.toReversed().map((draft) => ({
    id: draft.key < 0 ? null : draft.key,
    title: draft.title.trim(),
    amount: (thresholdOf(draft) ?? 0).toString(),
    color: draft.color,
    note: draft.note.trim(),
  }));

/** One line for each tier, to compare two versions. */
export const linesOf = (drafts: readonly TierDraft[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    drafts.map(({ title, amount, color, note }) => [title, `${amount} ATH, ${color}, ${note}`]),
  );

export const isSame = (one: readonly TierDraft[], other: readonly TierDraft[]): boolean =>
  JSON.stringify(wantedOf(one)) === JSON.stringify(wantedOf(other));
