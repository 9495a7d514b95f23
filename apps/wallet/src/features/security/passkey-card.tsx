import { m } from '@athos/messages/messages';
import { ButtonLink } from '@athos/ui/primitives/button';
import { Card } from '@athos/ui/primitives/card';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useQuery } from '@tanstack/react-query';
import { passkeysQuery } from '../../api/passkeys.ts';
import { paths } from '../../routes/paths.ts';

/** The number of the account's passkeys, with a link to manage them. */
export function PasskeyCard() {
  const { data, isError, refetch } = useQuery(passkeysQuery);
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="font-display text-title font-bold">{m.security_passkeys_title()}</h2>
      <p className="text-body text-ink-quiet">{m.security_passkeys_text()}</p>
      {data !== undefined ? (
        <>
          <p className="text-body font-semibold">{countText(data.length)}</p>
          <ButtonLink to={paths.passkeys} variant="quiet" isWide>
            {m.security_passkeys_manage()}
          </ButtonLink>
        </>
      ) : isError ? (
        <FailureNotice text={m.security_passkeys_failed()} onTryAgain={() => void refetch()} />
      ) : (
        <Skeleton className="h-11 w-full" />
      )}
    </Card>
  );
}

function countText(count: number): string {
  if (count === 0) return m.security_passkeys_none();
  return count === 1 ? m.security_passkeys_count_one() : m.security_passkeys_count({ count });
}
