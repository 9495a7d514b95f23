/** A running campaign with codes for everybody. */
import { getRandomValues, randomUUID } from 'node:crypto';
import { microAth } from '@athos/domain/money';
import { drawRewardCode, formatRewardCode } from '@athos/domain/reward-code';
import type { Config } from '../apps/api/src/config/config.ts';
import { createDeps } from '../apps/api/src/deps.ts';
import { openCampaign } from '../apps/api/src/modules/campaigns/index.ts';
import { createLog } from '../apps/api/src/platform/log/log.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const REWARD = microAth(1_000n);
const BUDGET = microAth(1_000_000_000_000n);

/** Returns the codes as their users type them. */
export async function openCampaignForLoad(
  config: Config,
  { codeCount, claimCountMax }: { readonly codeCount: number; readonly claimCountMax: number },
): Promise<string[]> {
  const codes = Array.from({ length: codeCount }, () =>
    drawRewardCode((bytes) => getRandomValues(bytes)),
  );
  const deps = createDeps(config, createLog('warn'));
  try {
    const nowMs = deps.clock.nowMs();
    await openCampaign(deps, {
      key: randomUUID(),
      title: 'Load',
      amount: REWARD,
      budget: BUDGET,
      startsAt: new Date(nowMs - DAY_MS),
      endsAt: new Date(nowMs + DAY_MS),
      codes: codes.map((code) => ({ code, claimCountMax })),
    });
  } finally {
    await deps.close();
  }
  return codes.map(formatRewardCode);
}
