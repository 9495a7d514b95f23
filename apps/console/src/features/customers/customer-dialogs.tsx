/** What can be done about a customer. */
import { m } from '@athos/messages/messages';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { AdjustDialog } from './adjust-dialog.tsx';
import type { Customer } from './customer-screen.tsx';
import { PlaceHoldDialog } from './hold-dialogs.tsx';

export type CustomerAct = 'hold' | 'adjust' | 'mailReset' | 'signOut';

interface CustomerDialogProps {
  customer: Customer;
  onClose: () => void;
}

export function CustomerDialog({ act, ...props }: CustomerDialogProps & { act: CustomerAct }) {
  switch (act) {
    case 'hold':
      return <PlaceHoldDialog uuid={props.customer.uuid} onClose={props.onClose} />;
    case 'adjust':
      return <AdjustDialog {...props} />;
    case 'mailReset':
      return <MailResetDialog {...props} />;
    case 'signOut':
      return <SignOutDialog {...props} />;
  }
}

function MailResetDialog({ customer: { uuid, email }, onClose }: CustomerDialogProps) {
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

function SignOutDialog({ customer: { uuid, sessions }, onClose }: CustomerDialogProps) {
  const { run, isPending } = useAdminAction('endCustomerSessions');
  return (
    <ActionDialog
      title={m.customers_sign_out()}
      effect={m.customers_sign_out_effect({ count: sessions.length })}
      actLabel={m.customers_sign_out()}
      isDanger
      doneText={m.customers_sign_out_done()}
      isPending={isPending}
      run={(reason) => run({ params: { uuid }, body: { reason } })}
      onClose={onClose}
    />
  );
}
