import { m } from '@athos/messages/messages';
import { RecoveryCodes } from '@athos/ui/factors/recovery-codes';
import { Screen } from '@athos/ui/layout/screen';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { refreshSecondStep, renewRecoveryCodes } from '../../api/second-step.ts';
import { paths } from '../../routes/paths.ts';
import { OwnerForm } from './owner-form.tsx';

/** Replaces the recovery codes, for an owner who has used some or lost the list. */
export function RecoveryCodesScreen() {
  const [codes, setCodes] = useState<readonly string[]>();
  const navigate = useNavigate();
  const handleEnd = () => void navigate(paths.security);
  return (
    <Screen title={m.security_codes_title()} backTo={paths.security} width="form">
      {codes === undefined ? (
        <OwnerForm
          lead={m.security_codes_lead()}
          label={m.security_codes_make()}
          isCodeAsked
          onSubmit={async ({ password, code = '' }) => {
            const made = await renewRecoveryCodes({ password, code });
            setCodes(made);
            return made !== undefined;
          }}
          onDone={() => void refreshSecondStep()}
          onCancel={handleEnd}
        />
      ) : (
        <RecoveryCodes codes={codes} onDone={handleEnd} />
      )}
    </Screen>
  );
}
