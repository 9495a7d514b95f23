/** The reward campaigns of the demo's past whose codes people claimed. */
import { drawRewardCode } from '@athos/domain/reward-code';
import { Random } from './random.ts';

export interface PastCode {
  readonly text: string;
  readonly hundredths: number;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

export interface PastCampaign {
  readonly title: string;
  readonly amountAth: number;
  readonly budgetAth: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly codes: readonly PastCode[];
}

/** The running times as shares of the history. A share above 1 lies in the future. */
const DRAFTS = [
  { title: 'First round', amountAth: 15, budgetAth: 9_000, from: 0, to: 1.6, codeCount: 1 },
  { title: 'Autumn evenings', amountAth: 10, budgetAth: 24_000, from: 0.1, to: 0.5, codeCount: 7 },
  { title: 'Harbour season', amountAth: 8, budgetAth: 26_000, from: 0.3, to: 0.85, codeCount: 8 },
  {
    title: 'Bring somebody along',
    amountAth: 12,
    budgetAth: 30_000,
    from: 0.6,
    to: 1.4,
    codeCount: 6,
  },
] as const;

const DAY_MS = 24 * 60 * 60_000;

export function pastCampaigns({
  endMs,
  dayCount,
}: {
  readonly endMs: number;
  readonly dayCount: number;
}): readonly PastCampaign[] {
  const timeOf = (share: number) => Math.round(endMs - (1 - share) * dayCount * DAY_MS);
  return DRAFTS.map(({ from, to, codeCount, ...draft }) => {
    const random = new Random(`codes of ${draft.title}`);
    const window = { fromMs: timeOf(from), toMs: timeOf(to) };
    const codes = Array.from({ length: codeCount }, () => ({
      text: drawRewardCode((bytes) => bytes.map(() => random.between(0, 255))),
      hundredths: draft.amountAth * 100,
      ...window,
    }));
    return { ...draft, ...window, codes };
  });
}
