import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { renderMail } from '../../../platform/mail/mail-layout.ts';
import { signInUrl } from './links.ts';

interface TakenMail {
  readonly publicUrl: string;
}

/** To the owner of an address with which somebody tried to sign up once more. */
export const renderTakenMail = ({ publicUrl }: TakenMail) =>
  renderMail({
    subject: m.mail_taken_subject({ programme: brand.programmeName }),
    paragraphs: [m.mail_taken_text()],
    button: { label: m.mail_taken_button(), url: signInUrl(publicUrl) },
  });
