import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { LargerQrCode } from '@athos/ui/qr/larger-qr-code';
import { useState } from 'react';
import type { TicketCode } from '../../api/ticket-code.ts';
import { moveTicketsHere } from '../../api/tickets.ts';
import { forgetsAfterAWeek, phoneLabel } from '../../api/ticket-browser.ts';
import { useShownCode } from '../../state/shown-code.ts';
import { dateAndTime } from './words.ts';

interface TicketPanelProps {
  code: TicketCode;
  userUuid: string;
  isOffline: boolean;
}

/** The code for a place without a network, or the reason why there is none. */
export function TicketPanel({ code, userUuid, isOffline }: TicketPanelProps) {
  useShownCode(code.state === 'code' || code.state === 'signing');
  switch (code.state) {
    case 'code':
      return (
        <>
          <LargerQrCode value={code.text} label={m.purchases_qr_label()} />
          <Notice kind="info">{validText(code.validUntilMs, isOffline)}</Notice>
          {!isOffline && forgetsAfterAWeek() && (
            <p className="text-caption text-ink-quiet text-center text-pretty">
              {m.purchases_ticket_forgotten()}
            </p>
          )}
        </>
      );
    case 'signing':
      return <Skeleton className="aspect-square w-full max-w-81" />;
    case 'elsewhere':
      return <Elsewhere label={code.label} userUuid={userUuid} isOffline={isOffline} />;
    case 'over':
      return <Notice kind="info">{m.purchases_ticket_over()}</Notice>;
    case 'missing':
      return <Notice kind="info">{m.purchases_ticket_missing()}</Notice>;
    case 'clock':
      return <Notice kind="info">{m.purchases_ticket_clock()}</Notice>;
  }
}

function validText(validUntilMs: number, isOffline: boolean): string {
  const { date, time } = dateAndTime(new Date(validUntilMs).toISOString());
  const until = m.purchases_date_at({ date, time });
  return isOffline
    ? m.purchases_ticket_offline({ time: until })
    : m.purchases_ticket_online({ time: until });
}

/** A phone whose key was deleted with its session cannot distinguish itself from another phone of its kind. */
function Elsewhere({
  label,
  userUuid,
  isOffline,
}: Omit<TicketPanelProps, 'code'> & { label: string }) {
  const isSameKind = label === phoneLabel();
  const [phase, setPhase] = useState<'idle' | 'moving' | 'failed'>('idle');
  const move = (): void => {
    setPhase('moving');
    moveTicketsHere(userUuid).then(
      () => setPhase('idle'),
      () => setPhase('failed'),
    );
  };
  return (
    <Notice
      kind={phase === 'failed' ? 'danger' : 'info'}
      title={m.purchases_ticket_elsewhere({ device: label })}
      action={
        !isOffline && (
          <Button variant="quiet" isCompact isPending={phase === 'moving'} onClick={move}>
            {isSameKind ? m.purchases_ticket_move_back() : m.purchases_ticket_move()}
          </Button>
        )
      }
    >
      {phase === 'failed' ? m.purchases_ticket_move_failed() : elsewhereText(label, isSameKind)}
    </Notice>
  );
}

const elsewhereText = (device: string, isSameKind: boolean): string =>
  isSameKind
    ? m.purchases_ticket_move_back_text({ device })
    : m.purchases_ticket_move_text({ device });
