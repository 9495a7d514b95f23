import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { renderMail } from '../../../platform/mail/mail-layout.ts';
import { resetUrl } from './links.ts';

interface ResetMail {
  readonly publicUrl: string;
  readonly code: string;
}

/** The link that sets a new password. */
export const renderResetMail = ({ publicUrl, code }: ResetMail) =>
  renderMail({
    subject: m.mail_reset_subject({ programme: brand.programmeName }),
    paragraphs: [m.mail_reset_text()],
    button: { label: m.mail_reset_button(), url: resetUrl(publicUrl, code) },
    note: m.mail_ignore(),
  });
