/** Actions for all scanners of a venue, and a code that enrols another one. */
import { enrolmentQrText } from '@athos/domain/enrolment-code';
import { m } from '@athos/messages/messages';
import { Checkbox } from '@athos/ui/fields/checkbox';
import { Button } from '@athos/ui/primitives/button';
import { copyText } from '@athos/ui/primitives/copy-button';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import Copy from 'lucide-react/icons/copy';
import { lazy, Suspense, useState } from 'react';
import { useAdminAction } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { DenseField } from '../../kit/dense-field.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { DenseIconButton } from '../../kit/icon-button.tsx';
import { Time } from '../../kit/time.tsx';
import type { Venue } from './venue-detail.tsx';

const QrCode = lazy(async () => ({ default: (await import('@athos/ui/qr/qr-code')).QrCode }));

interface DialogProps {
  venue: Venue;
  onClose: () => void;
}

export function SignOutDialog({ venue, onClose }: DialogProps) {
  const { run, isPending } = useAdminAction('signOutVenue');
  const [isBlocked, setIsBlocked] = useState(false);
  return (
    <ActionDialog
      title={m.scanners_all_sign_out()}
      effect={m.scanners_all_sign_out_effect({ name: venue.name })}
      actLabel={m.scanners_all_sign_out()}
      isDanger
      doneText={m.scanners_sign_out_done()}
      hasReason={false}
      isPending={isPending}
      run={() => run({ params: { id: venue.id }, body: { isBlocked } })}
      onClose={onClose}
    >
      <Checkbox isChecked={isBlocked} onCheckedChange={setIsBlocked}>
        <span className="text-dense">{m.scanners_all_block()}</span>
      </Checkbox>
    </ActionDialog>
  );
}

/** Asks for a name of the device and then shows its code, which is not shown again. */
export function EnrolDialog({ venue, onClose }: DialogProps) {
  const { run, isPending } = useAdminAction('createEnrolment');
  const [name, setName] = useState('');
  const [made, setMade] = useState<AdminAnswer<'createEnrolment'>>();
  if (made !== undefined) return <CodeDialog {...made} name={name} onClose={onClose} />;
  return (
    <ActionDialog
      title={m.scanners_enrol_title({ name: venue.name })}
      effect={m.scanners_enrol_effect()}
      actLabel={m.scanners_enrol_act()}
      doneText={m.scanners_enrol_done()}
      hasReason={false}
      disabledReason={name.trim() === '' ? m.scanners_enrol_reason() : undefined}
      isPending={isPending}
      run={() => run({ params: { id: venue.id }, body: { name: name.trim() } })}
      onClose={(outcome) => (outcome?.kind === 'done' ? setMade(outcome.answer) : onClose())}
    >
      <DenseField
        label={m.scanners_enrol_name()}
        value={name}
        onValueChange={setName}
        maxLength={60}
      />
    </ActionDialog>
  );
}

function CodeDialog(props: { code: string; expiresAt: string; name: string; onClose: () => void }) {
  const { code, expiresAt, name, onClose } = props;
  return (
    <Dialog
      onClose={onClose}
      title={name}
      description={m.scanners_enrol_effect()}
      actions={
        <Button isWide onClick={onClose}>
          {m.common_close()}
        </Button>
      }
    >
      {/* A code this short has few modules, so its quiet zone is wider than that of other codes. */}
      <div className="bg-qr-ground rounded-large mx-auto w-72 max-w-full p-5">
        <Suspense fallback={<Skeleton className="aspect-square w-full" />}>
          <QrCode value={enrolmentQrText(code)} label={m.scanners_enrol_qr()} hasLogo={false} />
        </Suspense>
      </div>
      <p className="flex flex-wrap items-center justify-center gap-x-2">
        <code className="font-code text-headline font-bold tracking-widest">{code}</code>
        <DenseIconButton
          label={m.console_copy_id({ id: code })}
          icon={<Copy size={16} aria-hidden />}
          onClick={() => void copyText(code)}
        />
      </p>
      <p className="text-caption text-ink-quiet text-center">
        {m.scanners_enrol_until()} <Time at={expiresAt} />
      </p>
    </Dialog>
  );
}
