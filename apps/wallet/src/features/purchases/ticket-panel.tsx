import { brand } from '@athos/brand/brand';
import { ApiError } from '@athos/client/errors';
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
    case 'ended':
      return <Elsewhere code={code} userUuid={userUuid} isOffline={isOffline} />;
    case 'held':
      return (
        <Notice kind="info">{m.purchases_ticket_held({ address: brand.supportAddress })}</Notice>
      );
    case 'withheld':
      return (
        <Notice kind="info">{m.purchases_ticket_withheld({ date: timeText(code.untilMs) })}</Notice>
      );
    case 'over':
      return <Notice kind="info">{m.purchases_ticket_over()}</Notice>;
    case 'missing':
      return <Notice kind="info">{m.purchases_ticket_missing()}</Notice>;
    case 'clock':
      return <Notice kind="info">{m.purchases_ticket_clock()}</Notice>;
  }
}

const timeText = (atMs: number): string =>
  m.purchases_date_at(dateAndTime(new Date(atMs).toISOString()));

function validText(validUntilMs: number, isOffline: boolean): string {
  const until = timeText(validUntilMs);
  return isOffline
    ? m.purchases_ticket_offline({ time: until })
    : m.purchases_ticket_online({ time: until });
}

interface ElsewhereProps extends Omit<TicketPanelProps, 'code'> {
  code: Extract<TicketCode, { label: string }>;
}

type Moving =
  { readonly state: 'idle' | 'moving' } | { readonly state: 'failed'; readonly error: unknown };

function Elsewhere({ code, userUuid, isOffline }: ElsewhereProps) {
  const words = wordsOf(code);
  const [moving, setMoving] = useState<Moving>({ state: 'idle' });
  const move = (): void => {
    setMoving({ state: 'moving' });
    moveTicketsHere(userUuid).then(
      () => setMoving({ state: 'idle' }),
      (error: unknown) => setMoving({ state: 'failed', error }),
    );
  };
  return (
    <Notice
      kind={moving.state === 'failed' ? 'danger' : 'info'}
      title={words.title}
      action={
        !isOffline && (
          <Button variant="quiet" isCompact isPending={moving.state === 'moving'} onClick={move}>
            {words.move}
          </Button>
        )
      }
    >
      {moving.state === 'failed' ? failureText(moving.error) : words.text}
    </Notice>
  );
}

/** A phone whose key was deleted with its session cannot distinguish itself from another phone of its kind. */
function wordsOf({ state, label: device }: ElsewhereProps['code']) {
  if (state === 'ended') {
    return {
      title: m.purchases_ticket_ended({ device }),
      text: m.purchases_ticket_ended_text(),
      move: m.purchases_ticket_move(),
    };
  }
  const title = m.purchases_ticket_elsewhere({ device });
  return device === phoneLabel()
    ? {
        title,
        text: m.purchases_ticket_move_back_text({ device }),
        move: m.purchases_ticket_move_back(),
      }
    : { title, text: m.purchases_ticket_move_text({ device }), move: m.purchases_ticket_move() };
}

function failureText(error: unknown): string {
  if (!(error instanceof ApiError)) return m.purchases_ticket_move_failed();
  switch (error.code) {
    case 'confirmation_required':
      return m.security_confirm_declined();
    case 'too_many_attempts':
      // The limit of a day; its seconds would say nothing to anybody.
      return m.purchases_ticket_move_too_many();
    case 'too_many_requests':
      return m.errors_too_many({ seconds: error.problem?.retry_after_seconds ?? 60 });
    case undefined:
    default:
      return m.security_confirm_failed();
  }
}
