/** The texts of mails to staff: invites, and notices about their own sign-in. */
import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { formatMailDate, renderMail } from '../../platform/mail/mail-layout.ts';

const programme = brand.programmeName;

export const renderInviteMail = ({ url }: { readonly url: string }) =>
  renderMail({
    subject: m.mail_staff_invite_subject({ programme }),
    paragraphs: [m.mail_staff_invite_text({ programme })],
    button: { label: m.mail_staff_invite_button(), url },
    note: m.mail_ignore(),
  });

interface Notice {
  readonly at: Date;
  readonly origin: string;
}

/** Instructions for a reader who did not make the change. */
const takeBack = (origin: string) => ({
  button: { label: m.mail_staff_account_button(), url: `${origin}/console/me` },
  note: m.mail_staff_not_you(),
});

export const FACTOR_CHANGES = [
  'totp_added',
  'passkey_added',
  'factor_removed',
  'codes',
  'password',
] as const;
export type FactorChange = (typeof FACTOR_CHANGES)[number];

const CHANGE_TEXTS: Readonly<Record<FactorChange, (facts: { date: string }) => string>> = {
  totp_added: m.mail_staff_totp_added,
  passkey_added: m.mail_staff_passkey_added,
  factor_removed: m.mail_staff_factor_removed,
  codes: m.mail_staff_codes_drawn,
  password: m.mail_staff_password_changed,
};

export const renderFactorMail = ({
  at,
  origin,
  change,
}: Notice & { readonly change: FactorChange }) =>
  renderMail({
    subject: m.mail_staff_factor_subject({ programme }),
    paragraphs: [CHANGE_TEXTS[change]({ date: formatMailDate(at) })],
    ...takeBack(origin),
  });

/** Sent to the person and to every owner. */
export const renderRecoveryMail = ({ at, origin, name }: Notice & { readonly name: string }) =>
  renderMail({
    subject: m.mail_staff_recovery_subject({ programme }),
    paragraphs: [m.mail_staff_recovery_text({ name, date: formatMailDate(at) })],
    ...takeBack(origin),
  });

export const renderCodesGuessedMail = ({ at, origin }: Notice) =>
  renderMail({
    subject: m.mail_staff_codes_guessed_subject({ programme }),
    paragraphs: [m.mail_staff_codes_guessed_text({ date: formatMailDate(at) })],
    ...takeBack(origin),
  });
