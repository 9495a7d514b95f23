import type { FastifyInstance } from 'fastify';
import { consoleApi, type ConsoleAnswerOf } from '@athos/contract/console/calls';
import { SHOWN_CLAIMS_MAX, type CodeState } from '@athos/contract/console/codes';
import { rewardCodeOfText } from '@athos/domain/reward-code';
import { dateOf } from '../../../platform/clock.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../../platform/console/console-endpoint.ts';
import type { ListCursors } from '../../../platform/console/list-cursor.ts';
import { requireOthersAccount } from '../../../platform/console/signed-in-staff.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError, invariant } from '../../../platform/errors.ts';
import { forgetAttempts } from '../../../platform/limits/attempt-counters.sql.ts';
import type { SealedColumns } from '../../../platform/sealed.ts';
import { selectCampaign, type ShownCampaign } from '../campaign-list.sql.ts';
import { lockedSubject, placeCell } from '../guess-limits.ts';
import { codeHashes } from '../open-campaign.ts';
import {
  countLockOuts,
  deleteLockOut,
  selectLockOut,
  selectLockOuts,
  type LockOutRow,
} from './lock-outs.sql.ts';
import { selectClaimsOf, selectFoundCode } from './look-up.sql.ts';

export interface CodeConsoleDeps extends ConsoleDeps {
  readonly listCursors: ListCursors;
  readonly sealed: SealedColumns;
}

type FoundCode = NonNullable<ConsoleAnswerOf<'lookUpCode'>['found']>;

/** The state of a code. The conditions are in the order in which a claim is refused. */
function stateOf(
  campaign: ShownCampaign,
  code: NonNullable<Awaited<ReturnType<typeof selectFoundCode>>>,
  now: Date,
): CodeState {
  if (code.batchState === 'void') return 'void';
  if (campaign.state !== 'running' || campaign.starts_at > now) return 'not_running';
  if (code.expiresAt !== null && code.expiresAt <= now) return 'expired';
  return code.claimCount >= code.claimCountMax ? 'used_up' : 'open';
}

async function findCode(tx: Tx, hashes: readonly Buffer[], now: Date): Promise<FoundCode | null> {
  const code = await selectFoundCode(tx, hashes);
  if (code === undefined) return null;
  const campaign = await selectCampaign(tx, code.campaignId, now);
  invariant(campaign !== undefined, 'a code belongs to a campaign');
  const claims = await selectClaimsOf(tx, code.codeHash, SHOWN_CLAIMS_MAX);
  const { batchId, label, batchState } = code;
  const hasBatch = batchId !== null && label !== null && batchState !== null;
  return {
    state: stateOf(campaign, code, now),
    campaign: { id: campaign.id, title: campaign.title, state: campaign.state },
    batch: hasBatch ? { id: batchId, label, state: batchState } : null,
    uses: code.claimCountMax,
    claim_count: code.claimCount,
    expires_at: code.expiresAt?.toISOString() ?? null,
    claims: claims.map(({ customerUuid, claimedAt, amount }) => ({
      customer_uuid: customerUuid,
      claimed_at: claimedAt.toISOString(),
      amount: amount.toString(),
    })),
  };
}

/** The account or the network place that is locked out. */
function lockedOf(
  { sealed }: Pick<CodeConsoleDeps, 'sealed'>,
  { subject, userId, place }: LockOutRow,
): { readonly userId: bigint } | { readonly place: string } {
  if (userId !== null) return { userId };
  invariant(place !== null, 'a lock-out is of an account or of a place');
  return { place: sealed.open(placeCell(subject), place) };
}

function presentLockOut(deps: CodeConsoleDeps, row: LockOutRow) {
  const { id, lockedAt, endsAt, customerUuid } = row;
  const locked = lockedOf(deps, row);
  return {
    id: Number(id),
    kind: 'place' in locked ? ('place' as const) : ('account' as const),
    customer_uuid: customerUuid,
    place: 'place' in locked ? locked.place : null,
    locked_at: lockedAt.toISOString(),
    ends_at: endsAt.toISOString(),
  };
}

export function registerCodeConsole(app: FastifyInstance, deps: CodeConsoleDeps): void {
  const { db, clock, listCursors, config } = deps;

  consoleEndpoint(app, deps, consoleApi.lookUpCode, async ({ tx, body, record }) => {
    const code = rewardCodeOfText(body.code);
    const found =
      code === undefined
        ? null
        : await findCode(tx, codeHashes(code, config.hashingKeys), dateOf(clock));
    await record({
      subjectId: found === null ? 'unknown' : found.campaign.id.toString(),
      after: { batch: found?.batch?.id ?? null, state: found?.state ?? null },
    });
    return { is_code: code !== undefined, found };
  });

  consoleEndpoint(app, deps, consoleApi.lockOuts, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('lock outs', query);
    const now = dateOf(clock);
    const beforeId = after === undefined ? undefined : BigInt(after[0] ?? '');
    const [rows, total] = await Promise.all([
      selectLockOuts(db, now, { limit, beforeId }),
      count ?? countLockOuts(db, now),
    ]);
    return listCursors.answer('lock outs', query, {
      rows,
      count: total,
      positionOf: ({ id }) => [id.toString()],
      present: (row) => presentLockOut(deps, row),
    });
  });

  consoleEndpoint(app, deps, consoleApi.releaseLockOut, async (act) => {
    const { tx, params, body, staff, record } = act;
    const row = await selectLockOut(tx, params.id, dateOf(clock));
    if (row === undefined) throw new AppError('not_found');
    const { customerUuid: uuid, email } = row;
    if (uuid !== null) requireOthersAccount(staff, { uuid, email });
    const locked = lockedSubject(config, lockedOf(deps, row));
    await deleteLockOut(tx, locked);
    await forgetAttempts(tx, [locked]);
    await record({
      subjectId: params.id.toString(),
      after: { kind: uuid === null ? 'place' : 'account', customer: uuid, reason: body.reason },
    });
    return { released: true as const };
  });
}
