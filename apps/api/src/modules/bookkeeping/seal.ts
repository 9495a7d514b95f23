/**
 * The seal of a day: the heads of ledger and audit, the trial balance, and whether card money agreed. It is mailed outside the database,
 * since somebody who can rewrite the database can make both chains agree with the forged rows.
 */
import { selectChainHead } from '../../ledger/index.ts';
import { selectAuditHead } from '../../platform/audit/audit.sql.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import type { Log } from '../../platform/log/log.ts';
import { MailRefusedError, type Mailer } from '../../platform/mail/mailer.ts';
import { selectNewestDay } from '../cards/index.ts';
import { trialBalance } from './journal.ts';
import { renderSealMail } from './seal-mail.ts';
import { insertSeal, selectSeal, selectSeals, updateMailed, type SealRow } from './seal.sql.ts';
import type { SealedBalances } from './tables.ts';

export interface SealDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly mailer: Mailer;
  readonly config: { readonly console: { readonly sealMailTo?: string | undefined } };
}

type AssetBalances = NonNullable<Awaited<ReturnType<typeof trialBalance>>>[number];

/** There may be thousands of campaigns and hundreds of merchants. The accounts of each group hold the same kind of value. */
const groupOf = (code: string): string =>
  code.replace(/^campaign_\d+$/, 'campaigns').replace(/^merchant_\d+$/, 'merchants');

function sealedBalances({ asset, accounts, customers, sum }: AssetBalances): SealedBalances {
  const byCode = Map.groupBy(accounts, ({ code }) => groupOf(code));
  const sums = [...byCode].map(([code, parts]) => ({
    code,
    balance: parts.reduce((total, { balance }) => total + BigInt(balance), 0n).toString(),
  }));
  return { asset, accounts: sums.filter(({ balance }) => balance !== '0'), customers, sum };
}

/** Read in one snapshot, so that the balances belong to the head. */
const readState = ({ db, log }: SealDeps) =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const balances = await trialBalance({ db: tx, log }, 'end');
      // The job is retried once the totals have caught up.
      if (balances === undefined) throw new Error('the totals of the ledger are behind');
      return {
        balances: balances.map(sealedBalances),
        ledger: await selectChainHead(tx),
        audit: await selectAuditHead(tx),
        cards: await selectNewestDay(tx),
      };
    });

/** Seals the day once, however many workers call it and however often. */
export async function sealDay(deps: SealDeps): Promise<void> {
  const { db, clock, config } = deps;
  const sealedAt = dateOf(clock);
  const day = sealedAt.toISOString().slice(0, 10);
  await remindOfUnmailed(deps, day);
  const { balances, ledger, audit, cards } = await readState(deps);
  await db.transaction().execute(async (tx) => {
    const isNew = await insertSeal(tx, {
      day,
      sealed_at: sealedAt,
      books_head: Buffer.from(ledger.hash, 'hex'),
      audit_seq: audit.seq,
      audit_head: audit.hash,
      balances: JSON.stringify(balances),
      card_day: cards?.day ?? null,
      is_card_agreed: cards?.isAgreed ?? null,
    });
    if (isNew && config.console.sealMailTo !== undefined) {
      await enqueueJob(tx, 'ledger_seal_mail', { day });
    }
  });
}

/** A mail is retried for three days. Operators must learn sooner that no seal leaves the database. */
async function remindOfUnmailed({ db, log, config }: SealDeps, today: string): Promise<void> {
  const [last] = await selectSeals(db, { limit: 1, beforeDay: today });
  if (last === undefined || last.mailed_at !== null) return;
  if (config.console.sealMailTo === undefined) return;
  log.error({ alarm: 'seal_not_mailed', day: last.day }, 'a seal has not been mailed');
}

/**
 * Mails the seal of a day. If a worker dies after sending the mail and before recording that, it is sent again, with the same content and
 * the same Message-ID.
 */
export async function mailSeal(
  { db, clock, log, mailer, config }: SealDeps,
  day: string,
): Promise<void> {
  const to = config.console.sealMailTo;
  const seal = await selectSeal(db, day);
  if (to === undefined || seal === undefined || seal.mailed_at !== null) return;
  try {
    await mailer.send({ id: `seal-${day}`, to, ...renderSealMail(seal) });
  } catch (error) {
    if (!(error instanceof MailRefusedError)) throw error;
    log.error({ alarm: 'seal_not_mailed', day, err: error }, 'the mail of a seal was refused');
    return;
  }
  await updateMailed(db, day, dateOf(clock));
}

export const presentSeal = (row: SealRow) => ({
  day: row.day,
  sealed_at: row.sealed_at.toISOString(),
  books_head: row.books_head.toString('hex'),
  audit_head: row.audit_head.toString('hex'),
  audit_entry_count: parseInt(row.audit_seq.toString(), 10),
  assets: row.balances.map(({ asset, accounts, customers, sum }) => ({
    asset,
    accounts: [...accounts],
    customers,
    sum,
  })),
  reconciliation:
    row.card_day === null ? null : { day: row.card_day, is_agreed: row.is_card_agreed === true },
  mailed_at: row.mailed_at?.toISOString() ?? null,
});
