/** The texts of identity's mails: those with a link, and those that inform the owner of an account about a change. */
import { brand } from '@athos/brand/brand';
import { formatAthExact } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import type { Forfeited } from '../../ledger/index.ts';
import { formatMailDate, renderMail } from '../../platform/mail/mail-layout.ts';
import type { RecoveryNews } from './recovery/recovery.ts';
import type { SecondStepChange } from './second-step/codes.ts';

const programme = brand.programmeName;

/** The address of an auth screen of the wallet (spec 2, "Auth screens"). */
const authUrl = (publicUrl: string, screen: string, code?: string): string =>
  `${publicUrl}/auth/${screen}${code === undefined ? '' : `?code=${encodeURIComponent(code)}`}`;

interface LinkMail {
  readonly publicUrl: string;
  readonly code: string;
}

/** The link that opens the account of a sign-up. */
export const renderVerifyMail = ({ publicUrl, code }: LinkMail) =>
  renderMail({
    subject: m.mail_verify_subject({ programme }),
    paragraphs: [m.mail_verify_text()],
    button: { label: m.mail_verify_button(), url: authUrl(publicUrl, 'verify-account', code) },
    note: m.mail_ignore(),
  });

/** Sent to the owner of an account when somebody signs up with its address. */
export const renderTakenMail = ({ publicUrl }: Pick<LinkMail, 'publicUrl'>) =>
  renderMail({
    subject: m.mail_taken_subject({ programme }),
    paragraphs: [m.mail_taken_text()],
    button: { label: m.mail_taken_button(), url: authUrl(publicUrl, 'sign-in') },
  });

/** The link that sets a new password. */
export const renderResetMail = ({ publicUrl, code }: LinkMail) =>
  renderMail({
    subject: m.mail_reset_subject({ programme }),
    paragraphs: [m.mail_reset_text()],
    button: { label: m.mail_reset_button(), url: authUrl(publicUrl, 'reset-password', code) },
    note: m.mail_ignore(),
  });

interface NoticeMail {
  readonly publicUrl: string;
  readonly at: Date;
}

/** Tells an owner who did not make the change how to recover the account. */
const takeBack = (publicUrl: string) => ({
  button: { label: m.mail_reset_button(), url: authUrl(publicUrl, 'forgot-password') },
  note: m.mail_not_you({ support: brand.supportAddress }),
});

export const renderPasswordResetMail = ({ publicUrl, at }: NoticeMail) =>
  renderMail({
    subject: m.mail_password_reset_subject({ programme }),
    paragraphs: [m.mail_password_reset_text({ date: formatMailDate(at) })],
    ...takeBack(publicUrl),
  });

export const renderPasswordChangedMail = ({ publicUrl, at }: NoticeMail) =>
  renderMail({
    subject: m.mail_password_changed_subject({ programme }),
    paragraphs: [m.mail_password_changed_text({ date: formatMailDate(at) })],
    ...takeBack(publicUrl),
  });

export const renderNewDeviceMail = ({
  publicUrl,
  at,
  device,
}: NoticeMail & { readonly device: string }) =>
  renderMail({
    subject: m.mail_new_device_subject({ programme }),
    paragraphs: [m.mail_new_device_text({ date: formatMailDate(at), device })],
    ...takeBack(publicUrl),
  });

const SECOND_STEP = {
  on: [m.mail_second_step_on_subject, m.mail_second_step_on_text],
  off: [m.mail_second_step_off_subject, m.mail_second_step_off_text],
  recovery_used: [m.mail_second_step_recovery_subject, m.mail_second_step_recovery_text],
  codes_renewed: [m.mail_second_step_codes_subject, m.mail_second_step_codes_text],
  guessed: [m.mail_second_step_guessed_subject, m.mail_second_step_guessed_text],
  passkey_added: [m.mail_passkey_added_subject, m.mail_passkey_added_text],
  passkey_removed: [m.mail_passkey_removed_subject, m.mail_passkey_removed_text],
  passkey_copied: [m.mail_passkey_copied_subject, m.mail_passkey_copied_text],
  limit_raised: [m.mail_limit_raised_subject, m.mail_limit_raised_text],
} as const;

export function renderSecondStepMail({
  publicUrl,
  at,
  change,
}: NoticeMail & { readonly change: SecondStepChange }) {
  const [subject, text] = SECOND_STEP[change];
  return renderMail({
    subject: subject({ programme }),
    paragraphs: [text({ date: formatMailDate(at) })],
    ...takeBack(publicUrl),
  });
}

/** The link that begins the removal of a lost second step. */
export const renderRecoveryMail = ({ publicUrl, code }: LinkMail) =>
  renderMail({
    subject: m.mail_recovery_subject({ programme }),
    paragraphs: [m.mail_recovery_text()],
    button: { label: m.mail_recovery_button(), url: authUrl(publicUrl, 'recover', code) },
    note: m.mail_recovery_not_you(),
  });

interface RecoveryNewsMail extends NoticeMail {
  readonly news: RecoveryNews;
  /** The pending wait; `undefined` if it is over. */
  readonly waiting: { readonly stopCode: string; readonly endsAt: Date } | undefined;
}

const OVER = {
  stopped: [m.mail_recovery_stopped_subject, m.mail_recovery_stopped_text],
  refused: [m.mail_recovery_refused_subject, m.mail_recovery_refused_text],
  ended: [m.mail_recovery_ended_subject, m.mail_recovery_ended_text],
} as const;

const GOES_ON = {
  begun: [m.mail_recovery_begun_subject, m.mail_recovery_begun_text],
  waits: [m.mail_recovery_waits_subject, m.mail_recovery_waits_text],
  shortened: [m.mail_recovery_shortened_subject, m.mail_recovery_shortened_text],
} as const;

/** Returns `undefined` if the wait that the mail is about has ended. */
export function renderRecoveryNews({ publicUrl, at, news, waiting }: RecoveryNewsMail) {
  const date = formatMailDate(at);
  if (news === 'stopped' || news === 'refused' || news === 'ended') {
    const [subject, text] = OVER[news];
    return renderMail({
      subject: subject({ programme }),
      paragraphs: [text({ date })],
      ...takeBack(publicUrl),
      // The person who requested it may well be the owner.
      ...(news === 'refused' && {
        note: m.mail_recovery_refused_note({ support: brand.supportAddress }),
      }),
    });
  }
  if (waiting === undefined) return undefined;
  const end = formatMailDate(waiting.endsAt);
  const [subject, text] = GOES_ON[news];
  return renderMail({
    subject: subject({ programme }),
    paragraphs: [text({ date, end })],
    button: {
      label: m.mail_recovery_stop(),
      url: authUrl(publicUrl, 'stop-recovery', waiting.stopCode),
    },
    note: m.mail_recovery_stop_note(),
  });
}

export interface DeletedMail {
  readonly at: Date;
  readonly by: 'owner' | 'staff';
  readonly forfeited: readonly Forfeited[];
}

const symbolOf = (asset: Forfeited['asset']): string =>
  brand.tokens.find(({ code }) => code === asset)?.symbol ?? asset;

/** The last mail to an account. It offers no recovery, since the account no longer exists. */
export const renderAccountDeletedMail = ({ at, by, forfeited }: DeletedMail) =>
  renderMail({
    subject: m.mail_deleted_subject({ programme }),
    paragraphs: [
      (by === 'owner' ? m.mail_deleted_text : m.mail_erased_text)({ date: formatMailDate(at) }),
      ...(forfeited.length === 0 ? [] : [m.mail_deleted_forfeited()]),
    ],
    ...(forfeited.length > 0 && {
      facts: forfeited.map(
        ({ asset, amountUnits }) => [symbolOf(asset), formatAthExact(amountUnits)] as const,
      ),
    }),
    note: (by === 'owner' ? m.mail_deleted_not_you : m.mail_erased_questions)({
      support: brand.supportAddress,
    }),
  });
