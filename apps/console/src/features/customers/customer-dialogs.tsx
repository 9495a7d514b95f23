/** The dialogs with the actions on a customer. */
import { m } from '@athos/messages/messages';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { AdjustDialog } from './adjust-dialog.tsx';
import type { Customer } from './customer-screen.tsx';
import { EraseDialog } from './erase-dialog.tsx';
import { PlaceHoldDialog } from './hold-dialogs.tsx';
import { MailReceiptDialog, MailResetDialog } from './mail-dialogs.tsx';
import { RemoveNamesDialog } from './remove-names-dialog.tsx';

export type CustomerAct =
  | 'hold'
  | 'adjust'
  | 'mailReset'
  | 'mailReceipt'
  | 'signOut'
  | 'removeNames'
  | 'exportPerson'
  | 'erase';

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
    case 'mailReceipt':
      return <MailReceiptDialog {...props} />;
    case 'signOut':
      return <SignOutDialog {...props} />;
    case 'removeNames':
      return <RemoveNamesDialog {...props} />;
    case 'exportPerson':
      return <ExportPersonDialog {...props} />;
    case 'erase':
      return <EraseDialog uuid={props.customer.uuid} onClose={props.onClose} />;
  }
}

/** Exports everything stored about the customer. The file appears under Exports for its requester. */
function ExportPersonDialog({ customer: { uuid }, onClose }: CustomerDialogProps) {
  const { run, isPending } = useAdminAction('exportPerson');
  return (
    <ActionDialog
      title={m.customers_export()}
      effect={m.customers_export_effect()}
      actLabel={m.exports_act()}
      doneText={m.exports_requested()}
      hasReason={false}
      isPending={isPending}
      run={() => run({ params: { uuid } })}
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
