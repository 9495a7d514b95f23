/** One write of the console. Its key, its work and its audit entry share one transaction (decision 0020). */
import { randomFillSync } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { AuditOutcome } from '@athos/contract/console/audit';
import type { ConsoleWrite } from '@athos/contract/console/console-call';
import { uuidv7 } from '@athos/domain/uuid';
import { appendAudit } from '../audit/audit.sql.ts';
import { dateOf, type Clock } from '../clock.ts';
import type { Db, Tx } from '../database/database.ts';
import { commitEarly } from '../database/early-commit.ts';
import { AppError, invariant } from '../errors.ts';
import { requireKey } from '../http/idempotency-key.ts';
import { hashesOf, hashOf, isHashOf } from '../keys/hashing-keys.ts';
import type { Log } from '../log/log.ts';
import type { Cell, SealedColumns } from '../sealed.ts';
import type { ReadProgramme } from '../settings/programme-settings.ts';
import { createGate } from '../limits/gate.ts';
import { claimAct, storeAnswer, type Act } from './acts.sql.ts';
import { requirePermission, type SignedInStaff, type StaffSessions } from './signed-in-staff.ts';

export interface ActDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly staffSessions: StaffSessions;
  readonly sealed: SealedColumns;
  readonly programme: ReadProgramme;
  readonly config: { readonly hashingKeys: readonly string[] };
}

/** The facts of an audit entry besides the caller, the call and the time. */
export interface ActFacts {
  readonly subjectId: string;
  /** Only ids and the fields that changed. Never a secret. */
  readonly before?: unknown;
  readonly after?: unknown;
  /** `requested` if it waits for approval, `failed` if it was approved but could not be done. Default: `done`. */
  readonly outcome?: Exclude<AuditOutcome, 'refused'> | undefined;
  readonly approvalId?: string | undefined;
  readonly ledgerKey?: string | undefined;
  /** Value in US cents that counts against the last proof of presence. */
  readonly movedUsdCents?: bigint | undefined;
}

interface ActRequest {
  readonly call: ConsoleWrite;
  readonly staff: SignedInStaff;
  readonly request: FastifyRequest;
  readonly version?: number;
}

export interface ActInput {
  readonly staff: SignedInStaff;
  readonly tx: Tx;
  readonly key: string;
  readonly version: number | undefined;
  readonly record: (facts: ActFacts) => Promise<void>;
}

/** The input of an act on one customer, whether made by its own call or as a row of a bulk act. */
export type CustomerAct = Pick<ActInput, 'tx' | 'key' | 'record'> & {
  readonly staff: Pick<SignedInStaff, 'staffId' | 'email' | 'walletUuid'>;
};

/** The caller's key. A POST must have one: without it, a retry after a lost answer would act twice. */
function readKey(
  { method, secret }: ConsoleWrite,
  { headers }: FastifyRequest,
  clock: Clock,
): string | undefined {
  if (secret === true) return undefined;
  const given = headers['idempotency-key'];
  if (given === undefined) {
    if (method === 'POST') throw new AppError('idempotency_key_required');
    return undefined;
  }
  return requireKey(given, clock);
}

/**
 * An act may need a second connection while its transaction is open: codes and challenges are used up even if the act is rolled
 * back. Four acts at once leave enough connections in the pool. Acts of one person run in turn, since they share locks anyway.
 */
const actGate = createGate({ atOnceMax: 4, waitingMax: 500, waitMaxMs: 3_000, ofCallerMax: 1 });

/** The complete request as text. The schemas that parsed the parts fix the order of members. */
function requestedText(
  { query, params, body }: FastifyRequest,
  version: number | undefined,
): string {
  return JSON.stringify({ query, params, body, version }, (_key, part: unknown) =>
    typeof part === 'bigint' ? part.toString() : part,
  );
}

/**
 * Runs an act once. A repeat with the same key gets the first answer; a different request with that key is refused. If `handle`
 * throws, everything is rolled back and the key stays unused.
 */
export const performAct = (
  deps: ActDeps,
  request: ActRequest,
  handle: (input: ActInput) => Promise<unknown>,
): Promise<unknown> =>
  actGate(['staff', request.staff.staffId], () => performInTurn(deps, request, handle));

async function performInTurn(
  deps: ActDeps,
  { call, staff: caller, request, version }: ActRequest,
  handle: (input: ActInput) => Promise<unknown>,
): Promise<unknown> {
  const { db, clock, config, staffSessions, sealed, programme } = deps;
  const given = readKey(call, request, clock);
  const key = given ?? uuidv7(clock.nowMs(), (bytes) => randomFillSync(bytes));
  const address = `${call.method} ${call.path}`;
  const requested = requestedText(request, version);
  const act: Act = {
    staffId: caller.staffId,
    key,
    call: address,
    requestDigest: hashOf(config.hashingKeys, requested),
  };

  // Read now and cached, because reading it inside the transaction could wait for a connection while holding one.
  if (call.proof === true) await programme();

  return db.transaction().execute(async (tx) => {
    // The body may arrive seconds after the headers. By then the session may have ended or a role been removed.
    const staff = await staffSessions.readAgain(tx, caller);
    requirePermission(call.permission, staff);
    if (given !== undefined) {
      const known = await claimAct(tx, act, dateOf(clock));
      if (known !== undefined) {
        await commitEarly(tx);
        return repeatedAnswer(
          { known, digests: hashesOf(config.hashingKeys, requested) },
          act,
          sealed,
        );
      }
    }
    if (call.proof === true) await staffSessions.requireProof(tx, staff);
    let recordCount = 0;
    const record = async (facts: ActFacts): Promise<void> => {
      recordCount += 1;
      const { movedUsdCents, subjectId, outcome = 'done', ...rest } = facts;
      if (movedUsdCents !== undefined) await staffSessions.noteMoved(tx, staff, movedUsdCents);
      await appendAudit(tx, {
        at: dateOf(clock),
        staff,
        requestId: request.id,
        action: call.audit.action,
        subject: { type: call.audit.subject, id: subjectId },
        outcome,
        ...rest,
      });
    };
    const answer = await handle({ staff, tx, key, version, record });
    invariant(recordCount === 1, `${address} wrote ${recordCount} entries of the audit`);
    if (given !== undefined) {
      await storeAnswer(tx, act, sealed.seal(answerCell(act), JSON.stringify(answer)));
    }
    return answer;
  });
}

const answerCell = ({ staffId, key }: Act): Cell => ({
  table: 'console_acts',
  column: 'answer',
  rowId: `${staffId} ${key}`,
});

function repeatedAnswer(
  {
    known,
    digests,
  }: {
    readonly known: {
      readonly call: string;
      readonly request_digest: Buffer;
      readonly answer: Buffer | null;
    };
    readonly digests: readonly Buffer[];
  },
  act: Act,
  sealed: SealedColumns,
): unknown {
  if (known.call !== act.call || !isHashOf(digests, known.request_digest)) {
    throw new AppError('idempotency_key_reused');
  }
  invariant(known.answer !== null, 'an act was committed without its answer');
  return JSON.parse(sealed.open(answerCell(act), known.answer));
}
