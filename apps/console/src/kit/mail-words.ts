/** The subject of each kind of mail to customers. */
import { m } from '@athos/messages/messages';
import type { MailTemplate } from '@athos/contract/console/customers';

export const MAIL_WORDS: Readonly<Record<MailTemplate, () => string>> = {
  reset: m.jobs_mail_reset,
  password_reset: m.jobs_mail_password_reset,
  password_changed: m.jobs_mail_password_changed,
  new_device: m.jobs_mail_new_device,
  second_step: m.jobs_mail_second_step,
  recovery: m.jobs_mail_recovery,
  receipt: m.jobs_mail_receipt,
};
