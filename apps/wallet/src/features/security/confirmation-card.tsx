import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Card } from '@athos/ui/primitives/card';
import { ChoiceRow } from '@athos/ui/primitives/choice-row';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { Notice } from '@athos/ui/primitives/notice';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { moment } from '@athos/ui/text/moment';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  changeLimit,
  confirmationLimitQuery,
  limitChoices,
  limitText,
  type ConfirmationLimit,
} from '../../api/confirmation-limit.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

/** The limit above which the owner must confirm a spending. */
export function ConfirmationCard() {
  const { data, isError, refetch } = useQuery(confirmationLimitQuery);
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="font-display text-title font-bold">{m.security_limit_title()}</h2>
      <p className="text-body text-ink-quiet text-pretty">{m.security_limit_text()}</p>
      {data !== undefined ? (
        // A new limit resets the form.
        <LimitForm key={String(data.limit)} stored={data} />
      ) : isError ? (
        <FailureNotice text={m.security_limit_failed()} onTryAgain={() => void refetch()} />
      ) : (
        <Skeleton className="h-11 w-full" />
      )}
    </Card>
  );
}

function LimitForm({ stored }: { stored: ConfirmationLimit }) {
  const { limit, next } = stored;
  const [chosen, setChosen] = useState(limit);
  const [isPending, setIsPending] = useState(false);
  const offlineReason = useOfflineReason();
  const choices = limitChoices(stored);

  async function handleChange(wanted: number | null): Promise<void> {
    setIsPending(true);
    const isChanged = await changeLimit(wanted, stored);
    setIsPending(false);
    // The limit has not changed yet: a raise takes effect later, and the owner may cancel it.
    if (isChanged) setChosen(limit);
  }

  return (
    <>
      <ChoiceRow
        legend={m.security_limit_legend()}
        options={choices.map((choice) => ({ value: String(choice), label: limitText(choice) }))}
        value={String(chosen)}
        onValueChange={(value) =>
          setChosen(choices.find((choice) => String(choice) === value) ?? null)
        }
      />
      {next !== undefined && (
        <Notice
          kind="info"
          action={
            <Button
              variant="quiet"
              isCompact
              isPending={isPending}
              disabledReason={offlineReason}
              onClick={() => void handleChange(limit)}
            >
              {m.security_limit_keep({ limit: limitText(limit) })}
            </Button>
          }
        >
          {m.security_limit_next({ limit: limitText(next.limit), date: moment(next.from) })}
        </Notice>
      )}
      {chosen !== limit && (
        <Button
          isWide
          isPending={isPending}
          disabledReason={offlineReason}
          onClick={() => void handleChange(chosen)}
        >
          {m.security_limit_save()}
        </Button>
      )}
    </>
  );
}
