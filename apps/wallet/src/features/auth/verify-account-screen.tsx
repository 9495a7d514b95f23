import { m } from '@athos/messages/messages';
import { ButtonLink } from '@athos/ui/primitives/button';
import { AuthScreen } from '@athos/ui/layout/auth-screen';
import { Spinner } from '@athos/ui/primitives/spinner';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useLocation } from 'react-router';
import { currentUuid, verifyAccount } from '../../api/session.ts';
import { paths } from '../../routes/paths.ts';
import { takeRoute } from '../../state/intended-route.ts';

/** Spec 2 and 4: /auth/verify-account. The route guard requires a code. */
export function VerifyAccountScreen() {
  const query = new URLSearchParams(useLocation().search);
  const code = query.get('code') ?? '';
  const navigate = useNavigate();
  const [hasFailed, setHasFailed] = useState(false);
  const startedCode = useRef<string>(undefined);

  useEffect(() => {
    // A code can be used once, so running the effect twice would fail.
    if (startedCode.current === code) return;
    startedCode.current = code;
    void verifyAccount(code).then((isVerified) => {
      if (!isVerified) return setHasFailed(true);
      void navigate(takeRoute(currentUuid() ?? '') ?? paths.home, {
        replace: true,
      });
    });
  }, [code, navigate]);

  if (hasFailed) {
    return (
      <AuthScreen title={m.auth_verify_failed_title()} lead={m.auth_verify_failed_text()}>
        <ButtonLink to={paths.signIn} isWide>
          {m.auth_sign_in()}
        </ButtonLink>
      </AuthScreen>
    );
  }
  return (
    <AuthScreen title={m.auth_verify_line()}>
      <div role="status" className="text-accent-text flex justify-center py-8">
        <Spinner />
      </div>
    </AuthScreen>
  );
}
