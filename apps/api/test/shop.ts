/** Functions for the calls of tests that buy. */
import { randomUUID } from 'node:crypto';
import { microAth, type MicroAth } from '@athos/domain/money';
import type { TestAnswer, TestApp, TestUser } from './test-app.ts';

/** Converts whole ATH. */
export const ath = (whole: number): MicroAth => microAth(BigInt(whole) * 1_000_000n);

/** `[offer id, count]` and, if the cart states it, the price that the buyer saw. */
export type CartLine = readonly [offerId: number, count: number, amount?: number];

export function cartBody(lines: readonly CartLine[]) {
  const isPriced = lines.some(([, , amount]) => amount !== undefined);
  return {
    offer_ids: lines.map(([offerId]) => offerId),
    offer_counts: lines.map(([, count]) => count),
    ...(isPriced ? { offer_amounts: lines.map(([, , amount]) => amount) } : {}),
  };
}

export const buy = (
  { request }: Pick<TestApp, 'request'>,
  user: TestUser,
  lines: readonly CartLine[],
  key: string = randomUUID(),
): Promise<TestAnswer> =>
  request({ method: 'POST', url: '/api/purchase', user, key, payload: cartBody(lines) });

export const tip = (
  { request }: Pick<TestApp, 'request'>,
  user: TestUser,
  payload: Readonly<Record<string, unknown>>,
  key: string = randomUUID(),
): Promise<TestAnswer> => request({ method: 'POST', url: '/api/account/tip', user, key, payload });

export const myPurchases = (
  { request }: Pick<TestApp, 'request'>,
  user: TestUser,
): Promise<TestAnswer> => request({ method: 'GET', url: '/api/my_purchases', user });

export async function balanceOf(
  { request }: Pick<TestApp, 'request'>,
  user: TestUser,
): Promise<string> {
  const { body } = await request({ method: 'GET', url: '/api/account/balance', user });
  return body.balance;
}

/** The status and code of a refusal. */
export const refusalOf = ({ status, body }: TestAnswer) => ({ status, code: body.code });

/** Runs twenty at once: more than a double tap, two devices and a bad network ever cause. */
export const twenty = <T>(work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 20 }, (_, index) => work(index)));
