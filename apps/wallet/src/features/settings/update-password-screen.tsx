import { normalizePassword, PASSWORD_LENGTH_MIN, passwordStrength } from '@athos/domain/password';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { PasswordField } from '@athos/ui/fields/password-field';
import { PasswordStrength } from '@athos/ui/fields/password-strength';
import { Screen } from '@athos/ui/layout/screen';
import { toasts } from '@athos/ui/overlays/toast-store';
import { useId, useState } from 'react';
import { paths } from '../../routes/paths.ts';
import { usePasswordUpdate, type PasswordUpdate } from './use-password-update.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

const LABELS: Record<PasswordUpdate['phase'], () => string> = {
  idle: m.settings_password_submit,
  submitting: m.settings_password_submitting,
  submitted: m.settings_password_submitted,
};

/** Spec 2, 4 and 5: /app/settings/update-password. */
export function UpdatePasswordScreen() {
  const { phase, draft, change, submit } = usePasswordUpdate();
  const [isTooShort, setIsTooShort] = useState(false);
  const formId = useId();
  const offlineReason = useOfflineReason();

  function handleSubmit() {
    if (phase !== 'idle') return;
    // The browser's validation counts surrounding spaces and skips values filled in by a password manager.
    const isShort = normalizePassword(draft.oldPassword).length < PASSWORD_LENGTH_MIN;
    setIsTooShort(isShort);
    if (isShort) return;
    // D-048: the password rules of sign-up apply.
    if (passwordStrength(draft.newPassword) !== 'Strong') {
      toasts.attempt('updatePassword')('danger', m.errors_password_weak(), 4000);
      return;
    }
    void submit();
  }

  return (
    <Screen
      title={m.settings_password_title()}
      backTo={paths.settings}
      width="form"
      action={
        <Button
          type="submit"
          form={formId}
          isWide
          isPending={phase === 'submitting'}
          isDisabled={phase === 'submitted'}
          disabledReason={phase === 'idle' ? offlineReason : undefined}
        >
          <span aria-live="polite">{LABELS[phase]()}</span>
        </Button>
      }
    >
      <form
        id={formId}
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          handleSubmit();
        }}
      >
        <PasswordField
          label={m.settings_password_old()}
          value={draft.oldPassword}
          onValueChange={(oldPassword) => change({ oldPassword })}
          name="old-password"
          required
          minLength={PASSWORD_LENGTH_MIN}
          autoComplete="current-password"
          readOnly={phase !== 'idle'}
          error={isTooShort ? m.common_strength_rule_length() : undefined}
        />
        <PasswordField
          label={m.settings_password_new()}
          value={draft.newPassword}
          onValueChange={(newPassword) => change({ newPassword })}
          name="new-password"
          required
          autoComplete="new-password"
          readOnly={phase !== 'idle'}
        />
        <PasswordStrength password={draft.newPassword} />
      </form>
    </Screen>
  );
}
