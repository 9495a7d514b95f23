import { m } from '@athos/messages/messages';
import { ButtonLink } from '@athos/ui/primitives/button';
import { Card } from '@athos/ui/primitives/card';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useQuery } from '@tanstack/react-query';
import { secondStepQuery } from '../../api/second-step.ts';
import { paths } from '../../routes/paths.ts';
import { moment } from '@athos/ui/text/moment';

/** Whether signing in requires a code, with a link to change it. */
export function SecondStepCard() {
  const { data, isError, refetch } = useQuery(secondStepQuery);
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="font-display text-title font-bold">{m.security_totp_title()}</h2>
      <p className="text-body text-ink-quiet">{m.security_totp_text()}</p>
      {data !== undefined ? (
        <>
          <p className="text-body font-semibold">
            {data.since === null
              ? m.security_totp_off()
              : m.security_totp_on({ date: moment(data.since) })}
          </p>
          {data.since !== null && (
            <p className="text-body">
              {m.security_recovery_left({ count: data.recoveryCodeCount })}
            </p>
          )}
          {data.since !== null && (
            <ButtonLink to={paths.recoveryCodes} variant="quiet" isWide>
              {m.security_codes_title()}
            </ButtonLink>
          )}
          <ButtonLink to={paths.authenticator} variant="quiet" isWide>
            {data.since === null ? m.security_totp_set_up() : m.security_totp_end()}
          </ButtonLink>
        </>
      ) : isError ? (
        <FailureNotice text={m.security_totp_failed()} onTryAgain={() => void refetch()} />
      ) : (
        <Skeleton className="h-11 w-full" />
      )}
    </Card>
  );
}
