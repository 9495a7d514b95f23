import type { FastifyInstance } from 'fastify';
import { api, type BodyOf } from '@athos/contract/api';
import { initialOf } from '@athos/domain/display-name';
import { parseUnits, type TokenAsset, type TokenUnits } from '@athos/domain/money';
import type { Ledger } from '../../ledger/index.ts';
import type { ReadProgramme } from '../../platform/settings/programme-settings.ts';
import { endpoint, type EndpointDeps, type SignedInUser } from '../../platform/http/endpoint.ts';
import { createAttemptLimit } from '../../platform/limits/attempt-limit.ts';
import { requireConfirmedSpend, takeLimitedSend, type Spend } from '../identity/index.ts';
import { readWorth } from '../rate/index.ts';
import { presentBalances, readBalances } from './balances.ts';
import { lookUpRecipient, type LookUpDeps } from './look-up-recipient.ts';
import { createSendCount } from './send-count.ts';
import { createHoldSend, type HoldDeps } from './held/hold-send.ts';
import { selectKnown } from './held/send-pairs.sql.ts';
import { registerHeldRoutes } from './held/held.routes.ts';
import type { UndoTimeDeps, UndoWish } from './held/undo-time.ts';
import { createRecipients, sendAsset, type Sent } from './send.ts';

interface TransferDeps extends EndpointDeps, LookUpDeps, HoldDeps {
  readonly clock: HoldDeps['clock'];
  readonly db: HoldDeps['db'];
  readonly ledger: Ledger;
  readonly programme: ReadProgramme;
  readonly qrKeys: UndoTimeDeps['qrKeys'];
  readonly config: LookUpDeps['config'] & { readonly limits: { readonly sendsPerSecond: number } };
}

const wishOf = ({ undo, undo_seconds: seconds }: BodyOf<'transfer'>): UndoWish | undefined =>
  undo && { isWarned: undo.warned, met: undo.met, chosenSeconds: seconds };

/** Few accounts have one, and each step that waits costs a send. */
const hasLimit = ({ confirmsSpends, sendsLimitedUntil }: SignedInUser): boolean =>
  confirmsSpends === true || sendsLimitedUntil !== undefined;

/**
 * Costs queries only for accounts whose second step was removed recently. A request whose key was used moves nothing more: counting it
 * would charge yesterday's send to today.
 */
async function takeWithinLimit(
  { db, clock, ledger }: Pick<TransferDeps, 'db' | 'clock' | 'ledger'>,
  { userId, sendsLimitedUntil }: SignedInUser,
  { key, amountUnits }: { readonly key: string; readonly amountUnits: TokenUnits },
): Promise<void> {
  if (sendsLimitedUntil === undefined || sendsLimitedUntil.getTime() <= clock.nowMs()) return;
  if (await ledger.isKeyUsed(userId, key)) return;
  await takeLimitedSend({ db, clock }, { userId, key, worth: await readWorth(db, amountUnits) });
}

const presentHold = ({ id, postAt, isFirstTime }: NonNullable<Sent['hold']>) => ({
  id,
  post_at: postAt.toISOString(),
  ...(isFirstTime !== undefined && { is_first_time: isFirstTime }),
});

interface SendBody {
  readonly to_uuid: string;
  readonly amount: string;
  readonly asset: TokenAsset;
}

/** The facts about a send that the confirmation rules need. */
async function describeSend(
  db: TransferDeps['db'],
  { userId }: SignedInUser,
  { to_uuid: toUuid, amount, asset }: SendBody,
): Promise<Spend> {
  const { isKnown } = await selectKnown(db, userId, toUuid);
  return {
    act: 'send',
    parts: [toUuid, amount, asset],
    facts: { amount, asset, to_uuid: toUuid },
    worth: await readWorth(db, parseUnits(amount)),
    isFirstTime: !isKnown,
  };
}

export function registerTransferRoutes(app: FastifyInstance, deps: TransferDeps): void {
  const { ledger, clock, config } = deps;
  const sendDeps = {
    ...deps,
    findRecipient: createRecipients(deps.db),
    sendCount: createSendCount(deps),
    holdSend: createHoldSend(deps),
  };
  const takeSend = createAttemptLimit(clock, config.limits.sendsPerSecond);

  endpoint(app, deps, api.balance, async ({ user, reply }) => {
    reply.header('cache-control', 'no-store');
    return presentBalances(await readBalances(ledger, user.userId));
  });

  endpoint(app, deps, api.recipient, async ({ user, body, reply }) => {
    const found = await lookUpRecipient(deps, { userId: user.userId, text: body.text });
    reply.header('cache-control', 'no-store');
    if (found === undefined) return { exists: false, uuid: null };
    const { uuid, name, pay } = found;
    const { isKnown } = await selectKnown(deps.db, user.userId, uuid);
    return {
      exists: true,
      uuid,
      ...(name !== null && { name, initial: initialOf(name) }),
      is_first_time: !isKnown,
      ...(pay && { pay }),
    };
  });

  endpoint(app, deps, api.transfer, async ({ user, body, key, confirmation }) => {
    const amountUnits = parseUnits(body.amount);
    await takeSend(user.userId, () => ledger.isKeyUsed(user.userId, key));
    if (hasLimit(user)) {
      await requireConfirmedSpend(deps, { user, confirmation, key }, () =>
        describeSend(deps.db, user, body),
      );
      await takeWithinLimit(deps, user, { key, amountUnits });
    }
    const sent = await sendAsset(sendDeps, {
      senderId: user.userId,
      recipientUuid: body.to_uuid,
      amountUnits,
      asset: body.asset,
      key,
      undo: wishOf(body) ?? body.undo_seconds ?? 0,
    });
    return {
      id: Number(sent.transferId),
      balance: sent.balanceUnits.toString(),
      ...(sent.hold && { hold: presentHold(sent.hold) }),
    };
  });
  registerHeldRoutes(app, deps);
}
