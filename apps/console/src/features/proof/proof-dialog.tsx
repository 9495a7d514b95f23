/** Asks for a proof of presence, a passkey or a code. The waiting action then continues by itself. */
import { useValue } from '@athos/app-core/value';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import KeyRound from 'lucide-react/icons/key-round';
import { useState } from 'react';
import { useAdminAction, useAdminItem } from '../../api/admin.ts';
import { ask } from '../../api/call.ts';
import { usePasskey } from '../../api/passkeys.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { TotpForm } from '@athos/ui/factors/totp-form';
import { proofAsked } from '../../state/proof.ts';

/** Mounted once, above every screen. */
export function ProofDialog() {
  const asked = useValue(proofAsked);
  return asked === undefined ? null : <OpenProof settle={asked.settle} />;
}

function OpenProof({ settle }: { settle: (isProved: boolean) => void }) {
  const { item: me, failure: unread, reload } = useAdminItem('me', {});
  const { run, isPending } = useAdminAction('prove');
  const [failure, setFailure] = useState<string>();
  const hasTotp = me?.factors.some(({ kind }) => kind === 'totp') === true;
  const hasPasskey = me?.factors.some(({ kind }) => kind === 'passkey') === true;

  async function prove(proof: Parameters<typeof run>[0]['body']): Promise<void> {
    setFailure(undefined);
    const outcome = await run({ body: proof });
    // An earlier proof whose answer was lost is one too.
    if (outcome.kind === 'done' || outcome.kind === 'earlier') return settle(true);
    setFailure(outcome.kind === 'refused' ? outcome.title : m.console_unknown());
  }

  async function provePasskey(): Promise<void> {
    try {
      await prove({ passkey: await usePasskey(await ask('proofOptions', {})) });
    } catch {
      // The browser's dialog was closed, or the options did not arrive.
      setFailure(m.console_sign_in_no_passkey());
    }
  }

  return (
    <Dialog
      onClose={() => settle(false)}
      title={m.console_proof_title()}
      description={m.console_proof()}
    >
      {failure !== undefined && <Notice kind="danger">{failure}</Notice>}
      {me === undefined && unread !== undefined && (
        <FailureView failure={unread} onRetry={reload} />
      )}
      {me === undefined && unread === undefined && <Skeleton className="h-12 w-full" />}
      {hasPasskey && (
        <Button
          isWide
          icon={<KeyRound size={20} aria-hidden />}
          isPending={isPending}
          onClick={() => void provePasskey()}
        >
          {m.console_proof_passkey()}
        </Button>
      )}
      {hasTotp && (
        <TotpForm
          submitLabel={m.console_proof_submit()}
          isPending={isPending}
          isSecondary={hasPasskey}
          onSubmit={(code) => prove({ code })}
        />
      )}
    </Dialog>
  );
}
