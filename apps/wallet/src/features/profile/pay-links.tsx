import { m } from '@athos/messages/messages';
import { TextField } from '@athos/ui/fields/text-field';
import { withDecimalPoint } from '@athos/ui/money/amount-input';
import { Button } from '@athos/ui/primitives/button';
import { Card } from '@athos/ui/primitives/card';
import { CopyButton } from '@athos/ui/primitives/copy-button';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { QrCode } from '@athos/ui/qr/qr-code';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  endPayLink,
  makePayLink,
  payLinksQuery,
  readAsked,
  type PayLink,
} from '../../api/pay-links.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

const LABEL_LENGTH_MAX = 40;
const NOTE_LENGTH_MAX = 100;

/** The links by which the account is paid: the active ones, and a form for another one. */
export function PayLinks() {
  const { data, isError, refetch } = useQuery(payLinksQuery);
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-col gap-1">
        <h2 className="font-display text-title font-bold">{m.profile_links_title()}</h2>
        <p className="text-body text-ink-quiet text-pretty">{m.profile_links_text()}</p>
      </div>
      {data !== undefined ? (
        <ul className="flex flex-col gap-4">
          {data.map((link) => (
            <PayLinkItem key={link.id} link={link} />
          ))}
        </ul>
      ) : isError ? (
        <FailureNotice text={m.profile_links_failed()} onTryAgain={() => void refetch()} />
      ) : (
        <Skeleton className="h-11 w-full" />
      )}
      <NewLink />
    </Card>
  );
}

function PayLinkItem({ link: { id, label, amountText, note, link } }: { link: PayLink }) {
  const [isShown, setIsShown] = useState(false);
  const [isEnding, setIsEnding] = useState(false);
  const offlineReason = useOfflineReason();

  async function handleEnd(): Promise<void> {
    setIsEnding(true);
    await endPayLink(id);
    setIsEnding(false);
  }

  return (
    <li className="border-line flex flex-col gap-3 border-t pt-4 first:border-t-0 first:pt-0">
      <div>
        <p className="text-body font-semibold wrap-anywhere">{label}</p>
        <p className="text-caption text-ink-quiet wrap-anywhere">
          {note === '' ? amountText : m.profile_link_asks({ amount: amountText, note })}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="quiet"
          isCompact
          aria-expanded={isShown}
          aria-label={
            isShown ? m.profile_link_hide_of({ label }) : m.profile_link_show_of({ label })
          }
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? m.profile_link_hide() : m.profile_link_show()}
        </Button>
        <CopyButton text={link} isCompact aria-label={m.profile_link_copy_of({ label })} />
        <Button
          variant="plain"
          isCompact
          aria-label={m.profile_link_end_of({ label })}
          isPending={isEnding}
          disabledReason={offlineReason}
          onClick={() => void handleEnd()}
        >
          {m.profile_link_end()}
        </Button>
      </div>
      {isShown && (
        <div className="flex flex-col items-center gap-3">
          <QrCode value={link} label={m.profile_link_code({ label })} />
          <p className="text-caption break-all select-all">{link}</p>
        </div>
      )}
    </li>
  );
}

function NewLink() {
  const [label, setLabel] = useState('');
  const [amountText, setAmountText] = useState('');
  const [note, setNote] = useState('');
  const [isPending, setIsPending] = useState(false);
  const offlineReason = useOfflineReason();
  const asked = readAsked(amountText);

  async function handleSubmit(): Promise<void> {
    if (isPending || label.trim() === '' || asked.isWrong) return;
    setIsPending(true);
    const isMade = await makePayLink({ label, amount: asked.amount, note });
    setIsPending(false);
    if (!isMade) return;
    setLabel('');
    setAmountText('');
    setNote('');
  }

  return (
    <form
      className="border-line flex flex-col gap-4 border-t pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        void handleSubmit();
      }}
    >
      <h3 className="text-body font-semibold">{m.profile_link_new()}</h3>
      <TextField
        label={m.profile_link_label()}
        value={label}
        onValueChange={setLabel}
        maxLength={LABEL_LENGTH_MAX}
        hint={m.profile_link_label_hint()}
      />
      <TextField
        label={m.profile_link_amount()}
        value={amountText}
        onValueChange={(next) => setAmountText(withDecimalPoint(amountText, next))}
        inputMode="decimal"
        error={asked.isWrong ? m.profile_link_amount_wrong() : undefined}
      />
      <TextField
        label={m.profile_link_note()}
        value={note}
        onValueChange={setNote}
        maxLength={NOTE_LENGTH_MAX}
      />
      <Button
        type="submit"
        variant="quiet"
        isWide
        isPending={isPending}
        disabledReason={
          offlineReason ?? (label.trim() === '' ? m.profile_link_no_label() : undefined)
        }
      >
        {m.profile_link_make()}
      </Button>
    </form>
  );
}
