import type { Problem } from '@athos/contract/problem';
import { formatAthExact } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { PasswordField } from '@athos/ui/fields/password-field';
import { TextField } from '@athos/ui/fields/text-field';
import { Dialog } from '@athos/ui/overlays/dialog';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { tokenBrand } from '@athos/ui/money/token-icon';
import KeyRound from 'lucide-react/icons/key-round';
import { useId, useState } from 'react';
import { confirmAct, readAskedAct, type AskedAct, type Proof } from '../../api/confirmation.ts';
import { hasPasskeys } from '../../api/passkey-support.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

const CODE_LENGTH_MAX = 40;

interface ConfirmationSheetProps {
  problem: Problem;
  /** `undefined` means that the user gave no proof. */
  onAnswer: (confirmation: string | undefined) => void;
}

/** States the act to confirm, and takes a passkey, a code or the password as proof. */
export function ConfirmationSheet({ problem, onAnswer }: ConfirmationSheetProps) {
  const asked = readAskedAct(problem);
  const { actHash, methods } = asked;
  const [pending, setPending] = useState<Proof['method']>();
  const [fault, setFault] = useState<string>();
  const formId = useId();
  const offlineReason = useOfflineReason();
  const typed = methods.includes('totp') ? 'totp' : 'password';
  const isPasskeyOffered = methods.includes('passkey') && hasPasskeys();

  async function handleProof(proof: Proof): Promise<void> {
    if (pending !== undefined) return;
    setPending(proof.method);
    setFault(undefined);
    const outcome = await confirmAct(actHash, proof);
    setPending(undefined);
    if (outcome.status === 'given') onAnswer(outcome.confirmation);
    else setFault(outcome.text);
  }

  return (
    <Dialog
      isOpen
      title={m.security_confirm_title()}
      description={actText(asked)}
      onClose={() => onAnswer(undefined)}
      actions={
        <>
          <Button variant="quiet" isWide onClick={() => onAnswer(undefined)}>
            {m.security_passkey_cancel()}
          </Button>
          <Button
            type="submit"
            form={formId}
            variant={isPasskeyOffered ? 'quiet' : 'primary'}
            isWide
            isPending={pending === typed}
            disabledReason={offlineReason}
          >
            {m.security_confirm_submit()}
          </Button>
        </>
      }
    >
      {fault !== undefined && <Notice kind="danger">{fault}</Notice>}
      {isPasskeyOffered && (
        <>
          <Button
            isWide
            icon={<KeyRound size={18} aria-hidden />}
            isPending={pending === 'passkey'}
            disabledReason={offlineReason}
            onClick={() => void handleProof({ method: 'passkey' })}
          >
            {m.security_confirm_passkey()}
          </Button>
          <p className="text-caption text-ink-quiet text-center">
            {typed === 'totp' ? m.security_confirm_or_code() : m.security_confirm_or_password()}
          </p>
        </>
      )}
      <TypedProof id={formId} method={typed} onSubmit={handleProof} />
    </Dialog>
  );
}

interface TypedProofProps {
  id: string;
  method: 'totp' | 'password';
  onSubmit: (proof: Proof) => Promise<void>;
}

/** Takes a code or the password. Its submit button is among the dialog's actions. */
function TypedProof({ id, method, onSubmit }: TypedProofProps) {
  const [text, setText] = useState('');

  async function handleSubmit(): Promise<void> {
    await onSubmit({ method, text });
    // A code can be used only once.
    if (method === 'totp') setText('');
  }

  return (
    <form
      id={id}
      onSubmit={(event) => {
        event.preventDefault();
        void handleSubmit();
      }}
    >
      {method === 'totp' ? (
        <TextField
          label={m.security_any_code()}
          value={text}
          onValueChange={setText}
          required
          maxLength={CODE_LENGTH_MAX}
          autoComplete="one-time-code"
        />
      ) : (
        <PasswordField
          value={text}
          onValueChange={setText}
          name="password"
          required
          autoComplete="current-password"
        />
      )}
    </form>
  );
}

/** The act to confirm, as the server understood it. */
function actText({ act, amountUnits, asset, address }: AskedAct): string {
  const sum = {
    amount: amountUnits === undefined ? '' : formatAthExact(amountUnits),
    symbol: tokenBrand(asset).symbol,
  };
  switch (act) {
    case 'send':
      return m.security_confirm_send({ ...sum, address });
    case 'tip':
      return m.security_confirm_tip(sum);
    case 'purchase':
      return m.security_confirm_purchase(sum);
    case 'raise_limit':
      return m.security_confirm_raise();
    case 'move_tickets':
      return m.security_confirm_move();
    case undefined:
    default:
      return m.security_confirm_text();
  }
}
