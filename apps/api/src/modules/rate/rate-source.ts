import { z } from 'zod';
import { parseRate, type Rate } from '@athos/domain/money';
import type { RateSource } from '../../config/rate.ts';

const FETCH_TIMEOUT_MS = 4_000;
const ANSWER_CHARACTERS_MAX = 10_000;

/** The response of a source, in the format of our own endpoint: `{ "exchange_rate": 0.1683 }`. */
const document = z.object({ exchange_rate: z.number() });

async function fetchRate(url: string): Promise<Rate> {
  const answer = await fetch(url, {
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    redirect: 'error',
  });
  const text = await answer.text();
  if (!answer.ok || text.length > ANSWER_CHARACTERS_MAX)
    throw new Error(`the rate source answered ${answer.status}`);
  const rate = parseRate(document.parse(JSON.parse(text)).exchange_rate);
  if (rate === undefined)
    throw new Error('the rate source did not return a positive number of at most 8 decimals');
  return rate;
}

const WALK_MIDDLE = 16_830_000;
/** The slow wave moves the rate by 0.5 % in either direction, the fast one by 0.2 %. */
const WALK_WAVES = [
  { periodMs: 3_600_000, share: 0.005 },
  { periodMs: 420_000, share: 0.002 },
];
const WALK_STEP_MS = 30_000;
/** Four decimals, as rates are usually quoted. */
const WALK_GRAIN = 10_000;

/** The demo's rate, which fluctuates slightly and depends only on the time. */
function walkRate(nowMs: number): Rate {
  const stepMs = Math.floor(nowMs / WALK_STEP_MS) * WALK_STEP_MS;
  const drift = WALK_WAVES.reduce(
    (sum, { periodMs, share }) => sum + share * Math.sin((2 * Math.PI * stepMs) / periodMs),
    0,
  );
  return BigInt(Math.round((WALK_MIDDLE * (1 + drift)) / WALK_GRAIN) * WALK_GRAIN) as Rate;
}

/** Reads the source once. Throws if it does not return a valid rate. */
export function readSource(
  source: Exclude<RateSource, { readonly kind: 'console' }>,
  nowMs: number,
): Promise<Rate> {
  switch (source.kind) {
    case 'fixed':
      return Promise.resolve(source.usdPerAth);
    case 'walk':
      return Promise.resolve(walkRate(nowMs));
    case 'url':
      return fetchRate(source.url);
  }
}
