/**
 * Mails with a link. The code is generated when the mail is sent, so only its hash is ever stored. The hash is committed before the mail
 * is sent, so every delivered link works. If sending fails, the code is withdrawn and the job retries with a new one. The number of mails
 * to one address is limited here, so that nobody can flood a stranger's mailbox. The limit delays the mail of a sign-up and never drops
 * the newest: otherwise a stranger who uses up the limit would decide whose link the owner gets.
 */
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import { insertSentMail } from '../../../platform/mail/sent-mails.sql.ts';
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
/** Limits for mails requested with a form. Each sign-up has its own link, so a second sign-up right after the first is mailed too. */
const ASKED_LIMITS: readonly MailLimit[] = [{ withinMs: MINUTE_MS, countMax: 3 }, HOURLY];
/** Limits for sign-ins before verification: at most one mail a minute (D-058). */
const RESEND_LIMITS: readonly MailLimit[] = [{ withinMs: MINUTE_MS, countMax: 1 }, HOURLY];

/** The time at which the limits allow another mail; not after `nowMs` if they allow it now. */
const allowedAtMs = (mailedAtMs: readonly number[], limits: readonly MailLimit[]): number => {
  const newestFirst = mailedAtMs.toSorted((a, b) => b - a);
  return Math.max(
    ...limits.map(({ withinMs, countMax }) => (newestFirst[countMax - 1] ?? -Infinity) + withinMs),
  );
};

/** The maximum number of network places with delayed sign-ups for one address, and of devices at each place. */
const DELAYED_PLACES_MAX = 20;
const DELAYED_DEVICES_MAX = 20;

const textOf = (hash: Buffer | null): string => hash?.toString('hex') ?? 'unknown';

/**
 * Whether a delayed sign-up gives way to newer ones: to one of the same device at the same place, to those of many other devices there,
 * or to those of many other places. So the queue is bounded, and somebody who keeps signing up with a stranger's address replaces only
 * their own requests, even behind the same network address.
 */
function isSuperseded(own: MailedSignUp, signUps: readonly MailedSignUp[]): boolean {
  const newer = signUps.filter(({ signUpId }) => signUpId > own.signUpId);
  const ownPlace = textOf(own.placeHash);
  const places = new Set(
    newer.map(({ placeHash }) => textOf(placeHash)).filter((place) => place !== ownPlace),
  );
  const devices = new Set(
    newer
      .filter(({ placeHash }) => textOf(placeHash) === ownPlace)
      .map(({ deviceHash }) => textOf(deviceHash)),
  );
  return (
    devices.has(textOf(own.deviceHash)) ||
    devices.size >= DELAYED_DEVICES_MAX ||
    places.size >= DELAYED_PLACES_MAX
  );
}

interface ClaimedMail {
  readonly to: string;
  /** Absent if the address has an account. */
  readonly code?: string;
  /** Undoes the claim if the mail cannot be sent. */
  withdraw(tx: Tx): Promise<void>;
}

/**
 * The times of the mails sent for these sign-ups. The time of a mailed link is read from its code; a mail to the owner of a taken address
 * leaves none.
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

interface SignUpMail {
  readonly signUpId: bigint;
  /** Whether a sign-in before verification caused the mail. */
  readonly isResend: boolean;
  /** The priority of the mail's job; a delayed mail keeps it. */
  readonly priority: number;
}

async function claimSignUpMail(
  tx: Tx,
  now: Date,
  { signUpId, isResend, priority }: SignUpMail,
): Promise<ClaimedMail | undefined> {
  const beside = await lockSignUpsBeside(tx, signUpId);
  if (beside === undefined) return undefined;
  const { email, signUps } = beside;
  const own = signUps.find((signUp) => signUp.signUpId === signUpId);
  if (own === undefined) return undefined;
  const mailedAtMs = await selectMailTimes(
    tx,
    // A retry of the first mail must not count against itself.
    signUps.filter((signUp) => isResend || signUp.signUpId !== signUpId),
  );
  const atMs = allowedAtMs(mailedAtMs, isResend ? RESEND_LIMITS : ASKED_LIMITS);
  if (atMs > now.getTime()) {
    if (isResend) return undefined;
    // A sign-up that gets no mail can never be verified.
    if (isSuperseded(own, signUps)) await deleteSignUp(tx, signUpId);
    else {
      const payload = { signUpId: String(signUpId) };
      await enqueueJob(tx, 'auth_mail_sign_up', payload, { runAt: new Date(atMs), priority });
    }
    return undefined;
  }
  await updateMailedAt(tx, signUpId, now);
  const restoreMailedAt = (tx2: Tx) => updateMailedAt(tx2, signUpId, own.mailedAt);
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
  if (allowedAtMs(mailedAtMs, ASKED_LIMITS) > now.getTime()) return undefined;
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
 * Mails the link of a sign-up or, if the address has an account, informs its owner. Sends nothing if the address has reached its
 * limit or the sign-up no longer exists.
 */
export async function mailSignUp(deps: LinkMailDeps, signUpMail: SignUpMail): Promise<void> {
  const { db, clock, config } = deps;
  const claimed = await db
    .transaction()
    .execute((tx) => claimSignUpMail(tx, dateOf(clock), signUpMail));
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
  await insertSentMail(db, userId, { template: 'reset', sentAt: dateOf(clock) });
}
