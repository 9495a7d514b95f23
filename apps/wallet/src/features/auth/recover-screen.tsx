import { m } from '@athos/messages/messages';
import { AuthScreen } from '@athos/ui/layout/auth-screen';
import { Button, ButtonLink } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { beginRecovery, cancelRecovery } from '../../api/recovery.ts';
import { paths } from '../../routes/paths.ts';
import { moment } from '@athos/ui/text/moment';

const codeIn = (search: string): string => new URLSearchParams(search).get('code') ?? '';

/** `/auth/recover`: the target of the mailed link. The waiting period begins only with a tap, because mail scanners open links too. */
export function RecoverScreen() {
  const { search } = useLocation();
  return (
    <LinkScreen
      title={m.auth_recover_title()}
      lead={m.auth_recover_text()}
      button={m.auth_recover_begin()}
      act={async () => {
        const outcome = await beginRecovery(codeIn(search));
        return typeof outcome === 'object'
          ? { text: m.auth_recover_begun({ date: moment(outcome.endsAt) }) }
          : outcome;
      }}
    />
  );
}

/**
 * `/auth/stop-recovery`: the target of the link in the mails about a waiting period. It needs no session, since an attacker may have ended
 * all.
 */
export function StopRecoveryScreen() {
  const { search } = useLocation();
  return (
    <LinkScreen
      title={m.auth_stop_recovery_title()}
      lead={m.auth_stop_recovery_text()}
      button={m.auth_stop_recovery()}
      act={async () => {
        const outcome = await cancelRecovery(codeIn(search));
        return outcome === 'stopped' ? { text: m.auth_stop_recovery_done() } : outcome;
      }}
      after={
        <ButtonLink to={paths.forgotPassword()} variant="quiet" isWide>
          {m.auth_forgot_link()}
        </ButtonLink>
      }
    />
  );
}

type Outcome = { readonly text: string } | 'wrong' | 'failed';

interface LinkScreenProps {
  title: string;
  lead: string;
  button: string;
  act: () => Promise<Outcome>;
  /** Shown after success. */
  after?: ReactNode;
}

function LinkScreen({ title, lead, button, act, after }: LinkScreenProps) {
  const [isActing, setIsActing] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();

  async function handleAct(): Promise<void> {
    setIsActing(true);
    setOutcome(await act());
    setIsActing(false);
  }

  const isOver = typeof outcome === 'object' || outcome === 'wrong';
  return (
    <AuthScreen title={title} lead={lead}>
      {typeof outcome === 'object' && <Notice kind="success">{outcome.text}</Notice>}
      {outcome === 'wrong' && <Notice kind="danger">{m.auth_recovery_link_wrong()}</Notice>}
      {outcome === 'failed' && <Notice kind="danger">{m.auth_recovery_failed()}</Notice>}
      {!isOver && (
        <Button isWide isPending={isActing} onClick={() => void handleAct()}>
          {button}
        </Button>
      )}
      {typeof outcome === 'object' && after}
      <ButtonLink to={paths.signIn} variant="plain" isWide>
        {m.auth_sign_in()}
      </ButtonLink>
    </AuthScreen>
  );
}
