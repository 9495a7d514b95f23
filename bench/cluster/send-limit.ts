/** P-003: the limit of one user's sends counts per process, so the edge has to send all of them to the same one. */
import type { Caller } from './caller.ts';
import type { Scene } from './prepare.ts';
import type { Proof } from './proof.ts';

/** Low enough for a small machine to exceed it. */
export const SENDS_PER_SECOND = 20;
const BURST_SECONDS = 5;
/** More than one process allows at once, and less than two would. */
const SENDS_AT_ONCE = SENDS_PER_SECOND * BURST_SECONDS * 1.7;
const SEND_MICRO = '1';

/** Sends at once of one user, who sends nothing else in the run. */
export async function proveSendLimit(caller: Caller, { spender }: Scene): Promise<Proof> {
  const { from, to } = spender;
  const body = { amount: SEND_MICRO, to_uuid: to.uuid };
  const call = { method: 'POST', path: '/api/account/transfer', token: from.token, body } as const;
  const sends = Array.from({ length: SENDS_AT_ONCE }, () => caller.settle(call));
  const settled = await Promise.allSettled(sends);
  const refusals = settled.flatMap((send) =>
    send.status === 'rejected' ? [String(send.reason)] : [],
  );
  const isLimit = refusals.length > 0 && refusals.every((words) => / 429 .*too_many/.test(words));
  return {
    title: `[P-003] of ${SENDS_AT_ONCE} sends of one user at once the edge lets as many through as one process allows, ${SENDS_PER_SECOND} a second`,
    isProven: isLimit,
  };
}
