/** Reward campaigns for tests, opened with `openCampaign`, and the call that redeems a code. */
import { getRandomValues, randomUUID } from 'node:crypto';
import { drawRewardCode, formatRewardCode, type RewardCode } from '@athos/domain/reward-code';
import { openCampaign, type CampaignDraft } from '../src/modules/campaigns/index.ts';
import { ath } from './shop.ts';
import type { TestAnswer, TestApp, TestUser } from './test-app.ts';

export const drawCode = (): RewardCode => drawRewardCode((bytes) => getRandomValues(bytes));

const HOUR_MS = 3_600_000;

interface Campaign extends Partial<Omit<CampaignDraft, 'codes'>> {
  readonly codeCount?: number;
  /** The claim limit of each code. */
  readonly codeClaimCountMax?: number;
}

/** Opens a campaign of 25 ATH per claim that began an hour ago and ends in an hour. Returns its codes in readable spelling. */
export async function createCampaign(
  { deps }: TestApp,
  { codeCount = 1, codeClaimCountMax = 1, ...over }: Campaign = {},
): Promise<string[]> {
  const codes = Array.from({ length: codeCount }, drawCode);
  const nowMs = deps.clock.nowMs();
  await openCampaign(deps, {
    key: randomUUID(),
    title: 'Summer',
    amount: ath(25),
    budget: ath(1_000),
    startsAt: new Date(nowMs - HOUR_MS),
    endsAt: new Date(nowMs + HOUR_MS),
    ...over,
    codes: codes.map((code) => ({ code, claimCountMax: codeClaimCountMax })),
  });
  return codes.map(formatRewardCode);
}

interface RedeemOptions {
  readonly key?: string;
  readonly remoteAddress?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const redeem = (
  { request }: Pick<TestApp, 'request'>,
  user: TestUser,
  code: string,
  { key = randomUUID(), remoteAddress = '127.0.0.1', headers = {} }: RedeemOptions = {},
): Promise<TestAnswer> =>
  request({
    method: 'POST',
    url: `/api/reward/${encodeURIComponent(code)}/redeem`,
    user,
    key,
    remoteAddress,
    headers,
  });

const REPEATS_MAX = 10;

/** Retries with the same key after each 503, as clients do. Returns the final response. */
export async function redeemAtLast(
  to: Pick<TestApp, 'request'>,
  user: TestUser,
  code: string,
  { key = randomUUID() }: Pick<RedeemOptions, 'key'> = {},
): Promise<TestAnswer> {
  let answer = await redeem(to, user, code, { key });
  for (let repeat = 0; answer.status === 503 && repeat < REPEATS_MAX; repeat += 1) {
    answer = await redeem(to, user, code, { key });
  }
  return answer;
}
