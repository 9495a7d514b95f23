import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { renderMail } from '../../../platform/mail/mail-layout.ts';
import { verifyUrl } from './links.ts';

interface VerifyMail {
  readonly publicUrl: string;
  readonly code: string;
}

/** To whoever signed up: the link that opens the account. */
export const renderVerifyMail = ({ publicUrl, code }: VerifyMail) =>
  renderMail({
    subject: m.mail_verify_subject({ programme: brand.programmeName }),
    paragraphs: [m.mail_verify_text()],
    button: { label: m.mail_verify_button(), url: verifyUrl(publicUrl, code) },
    note: m.mail_ignore(),
  });
