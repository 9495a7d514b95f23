import { m } from '@athos/messages/messages';
import { Screen } from '@athos/ui/layout/screen';
import { paths } from '../../routes/paths.ts';
import { ConfirmationCard } from './confirmation-card.tsx';
import { PasskeyCard } from './passkey-card.tsx';
import { SecondStepCard } from './second-step-card.tsx';
import { SessionList } from './session-list.tsx';

/** The account's security settings. */
export function SecurityScreen() {
  return (
    <Screen title={m.security_title()} backTo={paths.settings} width="form">
      <SecondStepCard />
      <PasskeyCard />
      <ConfirmationCard />
      <SessionList />
    </Screen>
  );
}
