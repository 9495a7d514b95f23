/**
 * Mails with a link. The code is generated when the mail is sent, so only its hash is ever stored. The hash is committed before
 * the mail is sent, so every delivered link works. If sending fails, the code is withdrawn and the job retries with a new one.
 * The number of mails to one address is limited here, so that nobody can flood a stranger's mailbox.
 */
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import { lockUserEmail, selectUserIdByEmail } from '../users.sql.ts';
import { makeLinkCode, RESET_CODE_LIFETIME_MS, VERIFY_CODE_LIFETIME_MS } from './link-code.ts';
import {
  deleteLinkCode,
  insertLinkCode,
  selectResetCodeExpiries,
  selectVerifyCodeExpiries,
} from './link-code.sql.ts';
import { renderResetMail, renderTakenMail, renderVerifyMail } from '../mails.ts';
import {
  deleteSignUp,
  lockSignUpsBeside,
  updateMailedAt,
  type MailedSignUp,
} from '../sign-up/sign-up.sql.ts';

export interface LinkMailDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly config: { readonly publicUrl: string };
}

interface MailLimit {
  readonly withinMs: number;
  readonly countMax: number;
}

const MINUTE_MS = 60_000;
const HOURLY: MailLimit = { withinMs: 60 * MINUTE_MS, countMax: 10 };
/** For mails requested with a form. Each sign-up has its own link, so a second sign-up right after the first is mailed too. */
const ASKED_LIMITS: readonly MailLimit[] = [{ withinMs: MINUTE_MS, countMax: 3 }, HOURLY];
/** For sign-ins before verification: at most one mail a minute (D-058). */
const RESEND_LIMITS: readonly MailLimit[] = [{ withinMs: MINUTE_MS, countMax: 1 }, HOURLY];

const isWithin = (mailedAtMs: readonly number[], nowMs: number, limits: readonly MailLimit[]) =>
  limits.every(
    ({ withinMs, countMax }) =>
      mailedAtMs.filter((atMs) => atMs > nowMs - withinMs).length < countMax,
  );

interface ClaimedMail {
  readonly to: string;
  /** Absent if the address has an account. */
  readonly code?: string;
  /** Undoes the claim if the mail cannot be sent. */
  withdraw(tx: Tx): Promise<void>;
}

/**
 * The times at which mails were sent for these sign-ups. A mailed link leaves a code to read the time from; a mail to the
 * owner of a taken address does not.
 */
async function selectMailTimes(tx: Tx, signUps: readonly MailedSignUp[]): Promise<number[]> {
  if (signUps.length === 0) return [];
  const codes = await selectVerifyCodeExpiries(
    tx,
    signUps.map(({ signUpId }) => signUpId),
  );
  const withoutCode = signUps.filter(
    ({ signUpId }) => !codes.some((code) => code.signUpId === signUpId),
  );
  return [
    ...codes.map(({ expiresAt }) => expiresAt.getTime() - VERIFY_CODE_LIFETIME_MS),
    ...withoutCode.flatMap(({ mailedAt }) => (mailedAt === null ? [] : [mailedAt.getTime()])),
  ];
}

async function claimSignUpMail(
  tx: Tx,
  now: Date,
  signUpId: bigint,
  isResend: boolean,
): Promise<ClaimedMail | undefined> {
  const beside = await lockSignUpsBeside(tx, signUpId);
  if (beside === undefined) return undefined;
  const { email, signUps } = beside;
  const own = signUps.find((signUp) => signUp.signUpId === signUpId);
  const mailedAtMs = await selectMailTimes(
    tx,
    // A retry of the first mail must not count against itself.
    signUps.filter((signUp) => isResend || signUp.signUpId !== signUpId),
  );
  if (!isWithin(mailedAtMs, now.getTime(), isResend ? RESEND_LIMITS : ASKED_LIMITS)) {
    // A sign-up that gets no mail can never be verified.
    if (!isResend) await deleteSignUp(tx, signUpId);
    return undefined;
  }
  await updateMailedAt(tx, signUpId, now);
  const restoreMailedAt = (tx2: Tx) => updateMailedAt(tx2, signUpId, own?.mailedAt ?? null);
  if ((await selectUserIdByEmail(tx, email)) !== undefined) {
    return { to: email, withdraw: restoreMailedAt };
  }
  const { code, codeHash } = makeLinkCode();
  const expiresAt = new Date(now.getTime() + VERIFY_CODE_LIFETIME_MS);
  await insertLinkCode(tx, { purpose: 'verify', signUpId, codeHash, expiresAt });
  return {
    to: email,
    code,
    async withdraw(tx2) {
      await deleteLinkCode(tx2, codeHash);
      await restoreMailedAt(tx2);
    },
  };
}

async function claimResetMail(
  tx: Tx,
  now: Date,
  userId: bigint,
): Promise<Required<ClaimedMail> | undefined> {
  const email = await lockUserEmail(tx, userId);
  if (email === undefined) return undefined;
  const expiries = await selectResetCodeExpiries(tx, userId);
  const mailedAtMs = expiries.map((expiresAt) => expiresAt.getTime() - RESET_CODE_LIFETIME_MS);
  if (!isWithin(mailedAtMs, now.getTime(), ASKED_LIMITS)) return undefined;
  const { code, codeHash } = makeLinkCode();
  const expiresAt = new Date(now.getTime() + RESET_CODE_LIFETIME_MS);
  await insertLinkCode(tx, { purpose: 'reset', userId, codeHash, expiresAt });
  return { to: email, code, withdraw: async (tx2) => void (await deleteLinkCode(tx2, codeHash)) };
}

async function sendOrWithdraw(
  { db, mailer }: LinkMailDeps,
  claimed: ClaimedMail,
  mail: { subject: string; text: string; html: string },
): Promise<void> {
  try {
    await mailer.send({ to: claimed.to, ...mail });
  } catch (error) {
    await db.transaction().execute((tx) => claimed.withdraw(tx));
    throw error;
  }
}

/**
 * Mails the link of a sign-up or, if the address has an account, informs its owner. `isResend` means that a sign-in before
 * verification caused the mail. Sends nothing if the address has reached its limit or the sign-up no longer exists.
 */
export async function mailSignUp(
  deps: LinkMailDeps,
  signUpId: bigint,
  isResend: boolean,
): Promise<void> {
  const { db, clock, config } = deps;
  const claimed = await db
    .transaction()
    .execute((tx) => claimSignUpMail(tx, dateOf(clock), signUpId, isResend));
  if (claimed === undefined) return;
  const { publicUrl } = config;
  const { code } = claimed;
  const mail =
    code === undefined ? renderTakenMail({ publicUrl }) : renderVerifyMail({ publicUrl, code });
  await sendOrWithdraw(deps, claimed, mail);
}

/** Mails a link to reset the password, unless the address has reached its limit. */
export async function mailReset(deps: LinkMailDeps, userId: bigint): Promise<void> {
  const { db, clock, config } = deps;
  const claimed = await db.transaction().execute((tx) => claimResetMail(tx, dateOf(clock), userId));
  if (claimed === undefined) return;
  const mail = renderResetMail({ publicUrl: config.publicUrl, code: claimed.code });
  await sendOrWithdraw(deps, claimed, mail);
}
