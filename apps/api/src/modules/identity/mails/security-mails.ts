/** What the owner of an account is told after the fact, with the way to take the account back. */
import { brand } from '@athos/brand/brand';
import { formatAthExact } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { formatMailDate, renderMail } from '../../../platform/mail/mail-layout.ts';
import type { Forfeited } from '../../../ledger/index.ts';
import { forgotPasswordUrl } from './links.ts';

interface SecurityMail {
  readonly publicUrl: string;
  readonly at: Date;
}

const programme = brand.programmeName;

const takeBack = (publicUrl: string) => ({
  button: { label: m.mail_reset_button(), url: forgotPasswordUrl(publicUrl) },
  note: m.mail_not_you({ support: brand.supportAddress }),
});

export const renderPasswordResetMail = ({ publicUrl, at }: SecurityMail) =>
  renderMail({
    subject: m.mail_password_reset_subject({ programme }),
    paragraphs: [m.mail_password_reset_text({ date: formatMailDate(at) })],
    ...takeBack(publicUrl),
  });

export const renderPasswordChangedMail = ({ publicUrl, at }: SecurityMail) =>
  renderMail({
    subject: m.mail_password_changed_subject({ programme }),
    paragraphs: [m.mail_password_changed_text({ date: formatMailDate(at) })],
    ...takeBack(publicUrl),
  });

export const renderNewDeviceMail = ({
  publicUrl,
  at,
  device,
}: SecurityMail & { readonly device: string }) =>
  renderMail({
    subject: m.mail_new_device_subject({ programme }),
    paragraphs: [m.mail_new_device_text({ date: formatMailDate(at), device })],
    ...takeBack(publicUrl),
  });

interface DeletedMail {
  readonly at: Date;
  readonly forfeited: readonly Forfeited[];
}

const symbolOf = (asset: Forfeited['asset']): string =>
  brand.tokens.find(({ code }) => code === asset)?.symbol ?? asset;

/** The last mail to an account: there is nothing left to take back. */
export const renderAccountDeletedMail = ({ at, forfeited }: DeletedMail) =>
  renderMail({
    subject: m.mail_deleted_subject({ programme }),
    paragraphs: [
      m.mail_deleted_text({ date: formatMailDate(at) }),
      ...(forfeited.length === 0 ? [] : [m.mail_deleted_forfeited()]),
    ],
    ...(forfeited.length > 0 && {
      facts: forfeited.map(
        ({ asset, amountUnits }) => [symbolOf(asset), formatAthExact(amountUnits)] as const,
      ),
    }),
    note: m.mail_deleted_not_you({ support: brand.supportAddress }),
  });
