/** P-003: the limit on one user's sends is counted per process, so the edge has to route all of them to the same one. */
import type { Caller } from './caller.ts';
import type { Scene } from './prepare.ts';
import type { Proof } from '../vitest-report.ts';

/** Low enough for a small machine to exceed it. */
export const SENDS_PER_SECOND = 20;
const BURST_SECONDS = 5;
/** Three times what one process allows at once. */
const SENDS_AT_ONCE = 3 * SENDS_PER_SECOND * BURST_SECONDS;
const SEND_MICRO = '1';

/** Sends at once as one user, who sends nothing else in the run. */
export async function proveSendLimit(caller: Caller, { spender }: Scene): Promise<Proof> {
  const { from, to } = spender;
  const body = { amount: SEND_MICRO, to_uuid: to.uuid };
  const call = { method: 'POST', path: '/api/account/transfer', token: from.token, body } as const;
  const startMs = performance.now();
  const sends = Array.from({ length: SENDS_AT_ONCE }, () => caller.settle(call));
  const settled = await Promise.allSettled(sends);
  const seconds = (performance.now() - startMs) / 1000;
  const refusals = settled.flatMap((send) =>
    send.status === 'rejected' ? [String(send.reason)] : [],
  );
  const passedCount = SENDS_AT_ONCE - refusals.length;
  const isLimit = refusals.length > 0 && refusals.every((words) => / 429 .*too_many/.test(words));
  return {
    title: '[P-003] of one user no more sends pass through the edge than one process allows',
    isProven: isLimit && passedCount <= SENDS_PER_SECOND * (BURST_SECONDS + seconds) + 1,
  };
}
