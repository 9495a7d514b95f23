/** The dialogs that send a customer a mail again. */
import { m } from '@athos/messages/messages';
import { EmailField } from '@athos/ui/fields/email-field';
import { useState } from 'react';
import { useAdminAction, useAdminList } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { DenseSelect } from '../../kit/dense-field.tsx';
import { moneyText } from '../../kit/money.tsx';
import type { Customer } from './customer-screen.tsx';

interface MailDialogProps {
  customer: Customer;
  onClose: () => void;
}

export function MailResetDialog({ customer: { uuid, email }, onClose }: MailDialogProps) {
  const { run, isPending } = useAdminAction('sendCustomerMail');
  return (
    <ActionDialog
      title={m.customers_mail_reset()}
      effect={m.customers_mail_reset_effect({ email: email ?? '' })}
      actLabel={m.customers_mail_act()}
      doneText={m.customers_mail_done()}
      hasReason={false}
      isPending={isPending}
      run={() => run({ params: { uuid }, body: { template: 'reset' } })}
      onClose={onClose}
    />
  );
}

/** Sends the receipt of one of the newest credited payments. */
export function MailReceiptDialog({ customer: { uuid, email }, onClose }: MailDialogProps) {
  const { run, isPending } = useAdminAction('sendCustomerMail');
  const { rows } = useAdminList('consolePayments', { customerUuid: uuid, state: 'credited' });
  const [orderId, setOrderId] = useState('');
  const options = (rows ?? []).map(({ id, createdAt, totalUsdCents }) => ({
    value: id,
    label: `${createdAt.slice(0, 10)}, ${moneyText(totalUsdCents, 'USD')}`,
  }));
  const missing =
    rows?.length === 0
      ? m.customers_mail_receipt_none()
      : orderId === ''
        ? m.customers_mail_receipt_choose()
        : undefined;
  return (
    <ActionDialog
      title={m.customers_mail_receipt()}
      effect={m.customers_mail_receipt_effect({ email: email ?? '' })}
      actLabel={m.customers_mail_act()}
      doneText={m.customers_mail_done()}
      disabledReason={missing}
      hasReason={false}
      isPending={isPending}
      run={() => run({ params: { uuid }, body: { template: 'receipt', orderId } })}
      onClose={onClose}
    >
      <DenseSelect
        label={m.customers_mail_receipt_payment()}
        value={orderId}
        onValueChange={setOrderId}
        options={[{ value: '', label: m.customers_mail_receipt_choose() }, ...options]}
      />
    </ActionDialog>
  );
}

/** An unfinished sign-up is not a customer yet, and is identified by its address only. */
interface MailVerificationProps {
  /** The searched address. */
  email: string;
  onClose: () => void;
}

export function MailVerificationDialog(props: MailVerificationProps) {
  const { run, isPending } = useAdminAction('sendVerificationMail');
  const [email, setEmail] = useState(props.email);
  return (
    <ActionDialog
      title={m.customers_mail_verification()}
      effect={m.customers_mail_verification_effect()}
      actLabel={m.customers_mail_act()}
      doneText={m.customers_mail_done()}
      disabledReason={email.trim() === '' ? m.customers_mail_verification_reason() : undefined}
      hasReason={false}
      isPending={isPending}
      run={() => run({ body: { email: email.trim() } })}
      onClose={props.onClose}
    >
      <EmailField value={email} onValueChange={setEmail} />
    </ActionDialog>
  );
}
