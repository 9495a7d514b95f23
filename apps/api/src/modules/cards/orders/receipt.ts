import { brand } from '@athos/brand/brand';
import { formatAthRoundedUp, formatUsd, microAth, usdCents } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import type { Contributions, PublishedHead } from '../../../capability.ts';
import { invariant } from '../../../platform/errors.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import type { Log } from '../../../platform/log/log.ts';
import {
  formatMailDate,
  renderMail,
  type MailContent,
} from '../../../platform/mail/mail-layout.ts';
import { MailRefusedError, type Mailer } from '../../../platform/mail/mailer.ts';
import { sendNoted } from '../../../platform/mail/sent-mails.sql.ts';
import { selectUser } from '../../identity/index.ts';
import { selectOrder, type OrderRow } from './orders.sql.ts';

interface ReceiptDeps extends Pick<Contributions, 'headReaders'> {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly mailer: Mailer;
  readonly config: { readonly publicUrl: string };
}

const [token] = brand.tokens;

/** The number of hexadecimal digits shown. With this many bits of a head, nobody can find other books that match. */
const HEAD_DIGITS = 32;

/**
 * The published head of the books when the mail was written. A mail cannot be recalled, so it is a witness if the books are rewritten
 * later.
 */
const headFacts = (
  { day, hash }: PublishedHead,
  publicUrl: string,
): NonNullable<MailContent['facts']> => [
  [m.mail_receipt_head({ day }), hash.toString('hex').slice(0, HEAD_DIGITS)],
  [m.mail_receipt_head_check(), `${publicUrl}/api/ledger/heads?limit=1&until=${day}`],
];

/** Shows the amount with two decimals, as everywhere; the last line is the amount charged to the card. */
function receiptContent(
  order: OrderRow,
  head: PublishedHead | undefined,
  publicUrl: string,
): MailContent {
  const amount = formatAthRoundedUp(microAth(order.amount_micro_ath));
  const fees = usdCents(order.product_fee_usd_cents + order.processing_fee_usd_cents);
  invariant(order.closed_at !== null, 'a credited order is closed');
  return {
    subject: m.mail_receipt_subject({ amount, symbol: token.symbol }),
    paragraphs: [m.mail_receipt_text({ amount, symbol: token.symbol })],
    facts: [
      [m.mail_receipt_number(), order.id],
      [m.mail_receipt_date(), formatMailDate(order.closed_at)],
      ...(head === undefined ? [] : headFacts(head, publicUrl)),
      [m.mail_receipt_amount(), `${amount} ${token.symbol}`],
      [m.mail_receipt_price(), formatUsd(usdCents(order.price_usd_cents))],
      [m.mail_receipt_fees(), formatUsd(fees)],
      [m.mail_receipt_total(), formatUsd(usdCents(order.total_usd_cents))],
    ],
    button: { label: m.mail_receipt_button(), url: `${publicUrl}/app/wallet` },
  };
}

export const enqueueReceipt = (tx: Tx, orderId: string): Promise<void> =>
  enqueueJob(tx, 'payment_receipt', { orderId }, { key: `receipt:${orderId}` });

/** Sends the receipt of an order. Throws while the mail server is down, so that the job is retried. */
export async function sendReceipt(
  { db, clock, log, mailer, config, headReaders }: ReceiptDeps,
  orderId: string,
): Promise<void> {
  const order = await selectOrder(db, orderId);
  if (order === undefined || order.state !== 'credited') return;
  const payer = await selectUser(db, order.user_id);
  // A closed account no longer has an e-mail address.
  if (payer === undefined || payer.email === null) return;
  try {
    const [head] = await Promise.all(headReaders.map((read) => read(db)));
    const content = receiptContent(order, head, config.publicUrl);
    const mail = { to: payer.email, ...renderMail(content) };
    await sendNoted({ db, clock, mailer }, { userId: payer.id, template: 'receipt' }, mail);
  } catch (error) {
    if (!(error instanceof MailRefusedError)) throw error;
    log.warn({ err: error, orderId }, 'a receipt was refused for good');
  }
}

/** Sends the receipt of a credited order of this user again. Returns whether there is such an order. */
export async function resendReceipt(
  tx: Tx,
  { orderId, userId }: { readonly orderId: string; readonly userId: bigint },
): Promise<boolean> {
  const order = await selectOrder(tx, orderId);
  if (order?.state !== 'credited' || order.user_id !== userId) return false;
  await enqueueJob(tx, 'payment_receipt', { orderId }, { key: `receipt:${orderId}` });
  return true;
}
