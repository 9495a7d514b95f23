import { rewardCodeOfText } from '@athos/domain/reward-code';
import { m } from '@athos/messages/messages';
import { TextField } from '@athos/ui/fields/text-field';
import { Screen } from '@athos/ui/layout/screen';
import { Button } from '@athos/ui/primitives/button';
import { ScanButton } from '@athos/ui/qr/scan-button';
import { useId, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../routes/paths.ts';

/** Takes a reward code that is typed, pasted or scanned, and leads to the screen that a reward's link opens. */
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
          trailing={
            <ScanButton
              title={m.reward_enter_scan()}
              read={rewardCodeOfText}
              fault={m.reward_enter_scan_error()}
              onRead={redeem}
            />
          }
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
        />
      </form>
    </Screen>
  );
}
