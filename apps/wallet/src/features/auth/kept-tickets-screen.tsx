import { QR_REFRESH_MS } from '@athos/domain/qr-payload';
import { m } from '@athos/messages/messages';
import { TextLink } from '@athos/ui/primitives/link';
import { Notice } from '@athos/ui/primitives/notice';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { AuthScreen } from '@athos/ui/layout/auth-screen';
import { CodePager } from '@athos/ui/qr/code-pager';
import { LargerQrCode } from '@athos/ui/qr/larger-qr-code';
import { useEffect, useState } from 'react';
import { readKeptTickets, type KeptPart, type Shown } from '../../api/kept-tickets.ts';
import { showTicket, type TicketCode } from '../../api/ticket-code.ts';
import { paths } from '../../routes/paths.ts';
import type { KeptTickets } from '../../state/ticket-store.ts';
import { useShownCode } from '../../state/shown-code.ts';

const LOCALE = 'en-US';

/** `/auth/tickets`: the codes that a phone keeps after a sign-out for inactivity, one at a time, and nothing else (W-030, W-031). */
export function KeptTicketsScreen() {
  const [shown, setShown] = useState<Shown | 'none'>();
  useEffect(() => {
    readKeptTickets().then(
      (read) => setShown(read ?? 'none'),
      () => setShown('none'),
    );
  }, []);
  return (
    <AuthScreen title={m.auth_tickets_title()}>
      {shown === 'none' && <Notice kind="info">{m.auth_tickets_none()}</Notice>}
      {typeof shown === 'object' && <Codes shown={shown} />}
      <p className="text-center">
        <TextLink to={paths.signIn} isStandalone>
          {m.auth_sign_in()}
        </TextLink>
      </p>
    </AuthScreen>
  );
}

function Codes({ shown: { kept, parts } }: { shown: Shown }) {
  return (
    <CodePager itemCounts={parts.map(({ itemIds }) => itemIds.length)} isAlwaysCounted>
      {(index) => {
        const part = parts[index];
        return part && <Code key={index} kept={kept} part={part} />;
      }}
    </CodePager>
  );
}

/** Signed anew every 10 s, without any request. */
function Code({ kept, part }: { kept: KeptTickets; part: KeptPart }) {
  const [code, setCode] = useState<TicketCode>({ state: 'signing' });
  useShownCode(code.state === 'code' || code.state === 'signing');
  useEffect(() => {
    let isHere = true;
    const sign = (): void =>
      void showTicket(kept, part).then((next) => {
        if (isHere) setCode(next);
      });
    sign();
    const timer = setInterval(sign, QR_REFRESH_MS);
    return () => {
      isHere = false;
      clearInterval(timer);
    };
  }, [kept, part]);
  switch (code.state) {
    case 'code':
      return (
        <>
          <LargerQrCode value={code.text} label={m.purchases_qr_label()} />
          <Notice kind="info">
            {m.purchases_ticket_online({ time: timeText(code.validUntilMs) })}
          </Notice>
        </>
      );
    case 'signing':
      return <Skeleton className="aspect-square w-full max-w-81" />;
    case 'clock':
      return <Notice kind="info">{m.purchases_ticket_clock()}</Notice>;
    case 'over':
    case 'missing':
    case 'elsewhere':
    case 'ended':
    case 'held':
    case 'withheld':
      return <Notice kind="info">{m.purchases_ticket_over()}</Notice>;
  }
}

const timeText = (atMs: number): string => {
  const at = new Date(atMs);
  return m.purchases_date_at({
    date: at.toLocaleDateString(LOCALE, { month: 'short', day: 'numeric', year: 'numeric' }),
    time: at.toLocaleTimeString(LOCALE, { hour: 'numeric', minute: '2-digit' }),
  });
};
