import type { Problem } from '@athos/contract/problem';
import { formatAthExact, parseUnits } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { PasswordField } from '@athos/ui/fields/password-field';
import { TextField } from '@athos/ui/fields/text-field';
import { Dialog } from '@athos/ui/overlays/dialog';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { tokenBrand } from '@athos/ui/money/token-icon';
import KeyRound from 'lucide-react/icons/key-round';
import { useId, useState } from 'react';
import { confirmAct, type Proof } from '../../api/confirmation.ts';
import { hasPasskeys } from '../../api/passkey-support.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

const CODE_LENGTH_MAX = 40;

interface ConfirmationSheetProps {
  problem: Problem;
  /** `undefined`: the user gives no proof. */
  onAnswer: (confirmation: string | undefined) => void;
}

/** Says what will be done, and takes a passkey, a code or the password for it. */
export function ConfirmationSheet({ problem, onAnswer }: ConfirmationSheetProps) {
  const { action_hash: actionHash = '', methods = [] } = problem;
  const offlineReason = useOfflineReason();
  const [pending, setPending] = useState<Proof['method']>();
  const [fault, setFault] = useState<string>();
  const [text, setText] = useState('');
  const formId = useId();
  const typed = methods.includes('totp') ? 'totp' : 'password';
  const isPasskeyOffered = methods.includes('passkey') && hasPasskeys();

  async function handleProof(proof: Proof): Promise<void> {
    if (pending !== undefined) return;
    setPending(proof.method);
    setFault(undefined);
    const outcome = await confirmAct(actionHash, proof);
    setPending(undefined);
    if (outcome.status === 'given') return onAnswer(outcome.confirmation);
    setFault(outcome.text);
    // A code works once.
    if (proof.method === 'totp') setText('');
  }

  return (
    <Dialog
      isOpen
      title={m.security_confirm_title()}
      description={actText(problem)}
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
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault();
          void handleProof({ method: typed, text });
        }}
      >
        {typed === 'totp' ? (
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
    </Dialog>
  );
}

/** What is confirmed, in the server's words for amount and receiver. */
function actText({ action, amount, asset = 'ATH', to_uuid: address = '' }: Problem): string {
  const sum = {
    amount: amount === undefined ? '' : formatAthExact(parseUnits(amount)),
    symbol: tokenBrand(asset).symbol,
  };
  switch (action) {
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
