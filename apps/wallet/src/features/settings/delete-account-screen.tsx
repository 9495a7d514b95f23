import { brand } from '@athos/brand/brand';
import { normalizePassword, PASSWORD_LENGTH_MIN } from '@athos/domain/password';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Card } from '@athos/ui/primitives/card';
import { TextLink } from '@athos/ui/primitives/link';
import { Notice } from '@athos/ui/primitives/notice';
import { PasswordField } from '@athos/ui/fields/password-field';
import { Screen } from '@athos/ui/layout/screen';
import Key from 'lucide-react/icons/key';
import Share2 from 'lucide-react/icons/share-2';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import TicketX from 'lucide-react/icons/ticket-x';
import UserMinus from 'lucide-react/icons/user-minus';
import { lazy, Suspense, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import type { DeletionRefusal } from '../../api/account-deletion.ts';
import { useBalances } from '../../api/balance.ts';
import { paths } from '../../routes/paths.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';
import { ForfeitedBalance } from './forfeited-balance.tsx';
import { forfeitedText } from './forfeited-tokens.ts';
import { useAccountDeletion, type AccountDeletion } from './use-account-deletion.ts';

const ConfirmDeletionModal = lazy(async () => ({
  default: (await import('./confirm-deletion-modal.tsx')).ConfirmDeletionModal,
}));

const LABELS: Record<AccountDeletion['phase'], () => string> = {
  idle: m.settings_delete_submit,
  confirming: m.settings_delete_submit,
  submitting: m.settings_delete_submitting,
  submitted: m.settings_delete_submitted,
};

const support = brand.supportAddress;
const REFUSALS: Record<DeletionRefusal, () => string> = {
  payments_open: () => m.settings_delete_payments_open({ support }),
  sends_open: () => m.settings_delete_sends_open({ support }),
  balance_negative: () => m.settings_delete_balance_negative({ support }),
  account_restricted: () => m.settings_delete_restricted({ support }),
};

/** Spec 2, 4 and 5: /app/settings/delete-account. */
export function DeleteAccountScreen() {
  const deletion = useAccountDeletion();
  const balances = useBalances();
  const [wasAsked, setWasAsked] = useState(false);
  const formId = useId();
  const offlineReason = useOfflineReason();

  const handleAsk = (): void => {
    setWasAsked(true);
    deletion.ask();
  };

  return (
    <Screen
      title={m.settings_delete_title()}
      backTo={paths.settings}
      width="form"
      action={<Actions formId={formId} phase={deletion.phase} offlineReason={offlineReason} />}
    >
      <Consequences />
      <ForfeitedBalance balances={balances} />
      <PasswordForm formId={formId} deletion={deletion} onAsk={handleAsk} />
      {deletion.refusal !== undefined && (
        <Notice kind="danger" title={m.settings_delete_refused()}>
          {REFUSALS[deletion.refusal]()}
        </Notice>
      )}
      {wasAsked && (
        <Suspense>
          <ConfirmDeletionModal
            // 'Yes' needs the network. The question returns with the connection.
            isOpen={deletion.phase === 'confirming' && offlineReason === undefined}
            forfeited={balances === undefined ? undefined : forfeitedText(balances)}
            onConfirm={() => void deletion.confirm()}
            onCancel={deletion.cancel}
          />
        </Suspense>
      )}
    </Screen>
  );
}

const CONSEQUENCES = [
  { icon: UserMinus, text: m.settings_delete_data },
  { icon: Key, text: m.settings_delete_credentials },
  { icon: SlidersHorizontal, text: m.settings_delete_settings },
  { icon: TicketX, text: m.settings_delete_purchases },
  { icon: Share2, text: m.settings_delete_third_party },
] as const;

function Consequences() {
  return (
    <Card className="flex flex-col gap-4">
      <ul className="flex flex-col gap-3">
        {CONSEQUENCES.map(({ icon: Icon, text }) => (
          <li key={text()} className="text-body flex gap-3">
            <Icon size={20} aria-hidden className="text-ink-quiet mt-0.5 shrink-0" />
            <span className="text-pretty">{text()}</span>
          </li>
        ))}
      </ul>
      <TextLink to={paths.dataDeletion} isStandalone>
        {m.settings_delete_policy()}
      </TextLink>
    </Card>
  );
}

interface PasswordFormProps {
  formId: string;
  deletion: AccountDeletion;
  onAsk: () => void;
}

function PasswordForm({ formId, deletion, onAsk }: PasswordFormProps) {
  const [isTooShort, setIsTooShort] = useState(false);
  return (
    <form
      id={formId}
      onSubmit={(event) => {
        event.preventDefault();
        // The browser's validation counts surrounding spaces and skips values filled in by a password manager.
        const isShort = normalizePassword(deletion.password).length < PASSWORD_LENGTH_MIN;
        setIsTooShort(isShort);
        if (!isShort) onAsk();
      }}
    >
      <PasswordField
        value={deletion.password}
        onValueChange={deletion.changePassword}
        name="password"
        required
        minLength={PASSWORD_LENGTH_MIN}
        autoComplete="current-password"
        readOnly={deletion.phase !== 'idle'}
        hint={m.settings_delete_password_hint()}
        error={isTooShort ? m.common_strength_rule_length() : undefined}
      />
    </form>
  );
}

interface ActionsProps {
  formId: string;
  phase: AccountDeletion['phase'];
  offlineReason: string | undefined;
}

function Actions({ formId, phase, offlineReason }: ActionsProps) {
  const navigate = useNavigate();
  const isBegun = phase === 'submitting' || phase === 'submitted';
  return (
    <div className="flex flex-col gap-3">
      <Button
        type="submit"
        form={formId}
        variant="danger"
        isWide
        isPending={phase === 'submitting'}
        isDisabled={phase === 'submitted'}
        disabledReason={isBegun ? undefined : offlineReason}
      >
        <span aria-live="polite">{LABELS[phase]()}</span>
      </Button>
      <Button
        variant="quiet"
        isWide
        isDisabled={isBegun}
        onClick={() => void navigate(paths.settings)}
      >
        {m.settings_delete_nevermind()}
      </Button>
    </div>
  );
}
