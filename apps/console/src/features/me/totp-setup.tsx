import { m } from '@athos/messages/messages';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useAdminAction } from '../../api/admin.ts';
import { ask, type AdminAnswer } from '../../api/call.ts';
import { OutcomeNotice } from '../../kit/action-dialog.tsx';
import { CopyId } from '../../kit/copy-id.tsx';
import { TotpForm } from '@athos/ui/factors/totp-form';

const QrCode = lazy(async () => ({ default: (await import('@athos/ui/qr/qr-code')).QrCode }));

/** Sets up an authenticator app: shows its secret as a QR code and as text, and confirms it with the first code. */
export function TotpSetup({ onDone }: { onDone: () => void }) {
  const confirm = useAdminAction('confirmTotp');
  const [secret, setSecret] = useState<AdminAnswer<'beginTotp'>>();
  const [failure, setFailure] = useState<Awaited<ReturnType<typeof confirm.run>>>();
  useEffect(() => {
    ask('beginTotp', {}).then(setSecret, () => setFailure({ kind: 'unknown' }));
  }, []);

  async function handleSubmit(code: string): Promise<void> {
    setFailure(undefined);
    const outcome = await confirm.run({ body: { code, name: m.console_factor_totp() } });
    if (outcome.kind === 'done') onDone();
    else setFailure(outcome);
  }

  return (
    <div className="flex flex-col gap-5">
      <p className="text-body text-ink-quiet text-pretty">{m.common_totp_lead()}</p>
      <div className="mx-auto w-56 max-w-full">
        <Suspense fallback={<QrSkeleton />}>
          {secret === undefined ? (
            <QrSkeleton />
          ) : (
            <QrCode value={secret.address} label={m.common_totp_qr()} />
          )}
        </Suspense>
      </div>
      {secret !== undefined && (
        <div className="flex flex-col gap-1">
          <p className="text-caption text-ink-quiet">{m.common_totp_secret()}</p>
          <CopyId id={secret.secret} />
        </div>
      )}
      {failure !== undefined && <OutcomeNotice outcome={failure} />}
      <TotpForm
        submitLabel={m.common_totp_confirm()}
        isPending={confirm.isPending}
        onSubmit={handleSubmit}
      />
    </div>
  );
}

const QrSkeleton = () => <Skeleton className="aspect-square w-full" />;
