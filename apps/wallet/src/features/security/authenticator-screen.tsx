import { m } from '@athos/messages/messages';
import { Screen } from '@athos/ui/layout/screen';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { SkeletonRows } from '@athos/ui/primitives/skeleton';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { secondStepQuery } from '../../api/second-step.ts';
import { paths } from '../../routes/paths.ts';
import { AuthenticatorRemoval } from './authenticator-removal.tsx';
import { AuthenticatorSetup } from './authenticator-setup.tsx';

const SKELETON_ROW_COUNT = 2;

/** Adds an authenticator app to the account, or removes it. */
export function AuthenticatorScreen() {
  const { data, isError, refetch } = useQuery(secondStepQuery);
  return (
    <Screen title={m.security_totp_title()} backTo={paths.security} width="form">
      {data !== undefined ? (
        <Authenticator isOn={data.since !== null} />
      ) : isError ? (
        <FailureNotice text={m.security_totp_failed()} onTryAgain={() => void refetch()} />
      ) : (
        <SkeletonRows count={SKELETON_ROW_COUNT} />
      )}
    </Screen>
  );
}

/** Decided when the screen was opened, so that the recovery codes are still shown after the app has been added. */
function Authenticator({ isOn }: { isOn: boolean }) {
  const [wasOn] = useState(isOn);
  return wasOn ? <AuthenticatorRemoval /> : <AuthenticatorSetup />;
}
