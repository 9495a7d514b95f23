import { rewardCodeOfText } from '@athos/domain/reward-code';
import { m } from '@athos/messages/messages';
import { TextField } from '@athos/ui/fields/text-field';
import { Screen } from '@athos/ui/layout/screen';
import { Button } from '@athos/ui/primitives/button';
import { IconButton } from '@athos/ui/primitives/icon-button';
import ScanQrCode from 'lucide-react/icons/scan-qr-code';
import { lazy, Suspense, useId, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../routes/paths.ts';

const ScanDialog = lazy(async () => ({
  default: (await import('@athos/ui/qr/scan-dialog')).ScanDialog,
}));

/** A reward code that is typed, pasted or scanned. It leads to the screen that a reward's link opens. */
export function EnterCodeScreen() {
  const navigate = useNavigate();
  const formId = useId();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isRefused, setIsRefused] = useState(false);

  function redeem(given: string): void {
    const code = rewardCodeOfText(given);
    setIsRefused(code === undefined);
    if (code === undefined) field.current?.focus();
    else void navigate(paths.redeemReward(code));
  }
  function handleChange(next: string): void {
    setText(next);
    setIsRefused(false);
  }
  function handleSubmit(event: FormEvent): void {
    event.preventDefault();
    if (text.trim() !== '') redeem(text);
  }

  return (
    <Screen
      title={m.reward_enter_title()}
      backTo={paths.settings}
      width="form"
      action={
        <Button
          type="submit"
          form={formId}
          isWide
          disabledReason={text.trim() === '' ? m.reward_enter_empty() : undefined}
        >
          {m.reward_enter_submit()}
        </Button>
      }
    >
      <form id={formId} onSubmit={handleSubmit} noValidate>
        <TextField
          ref={field}
          label={m.reward_enter_label()}
          value={text}
          onValueChange={handleChange}
          placeholder={m.reward_enter_placeholder()}
          hint={m.reward_enter_hint()}
          error={isRefused ? m.reward_enter_error() : undefined}
          trailing={<ScanCode onCode={redeem} />}
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
        />
      </form>
    </Screen>
  );
}

/** The scanner is loaded on first use. */
function ScanCode({ onCode }: { onCode: (code: string) => void }) {
  const [state, setState] = useState<'unused' | 'open' | 'closed'>('unused');
  return (
    <>
      <IconButton
        label={m.reward_enter_scan()}
        icon={<ScanQrCode size={20} aria-hidden />}
        onClick={() => setState('open')}
      />
      {state !== 'unused' && (
        <Suspense>
          <ScanDialog
            isOpen={state === 'open'}
            title={m.reward_enter_scan()}
            read={rewardCodeOfText}
            fault={m.reward_enter_scan_error()}
            onRead={onCode}
            onCancel={() => setState('closed')}
          />
        </Suspense>
      )}
    </>
  );
}
