import { m } from '@athos/messages/messages';
import { isNetworkLost } from '@athos/app-core/network';
import { useValue } from '@athos/app-core/value';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { CodePager } from '@athos/ui/qr/code-pager';
import { QrPanel } from '@athos/ui/qr/qr-panel';
import { useEffect, useState } from 'react';
import { refreshPurchases } from '../../api/purchases.ts';
import { useSignedQr } from '../../api/signed-qr.ts';
import { ticketParts, useTicketCode } from '../../api/ticket-code.ts';
import { useTickets } from '../../api/tickets.ts';
import { isReadingOffline } from '../../state/network.ts';
import type { KeptTickets } from '../../state/ticket-store.ts';
import { useShownCode } from '../../state/shown-code.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';
import { TicketPanel } from './ticket-panel.tsx';

/** With more items, the code is too dense for a logo, which needs stronger error correction. */
const LOGO_ITEMS_MAX = 10;

interface RedeemCodeProps {
  userUuid: string;
  purchaseId: number;
  /** Has at least one element. */
  itemIds: readonly number[];
}

/**
 * The code signed by the server while there is a network. Without one, or if the guest asks for it, the phone's own code (W-016, W-017,
 * W-020).
 */
export function RedeemCode({ userUuid, purchaseId, itemIds }: RedeemCodeProps) {
  const isOffline = [useValue(isNetworkLost), useValue(isReadingOffline)].includes(true);
  const [isAsked, setIsAsked] = useState(false);
  const kept = useTickets(userUuid);
  const hasTickets = kept !== null && kept !== undefined;
  return (
    <>
      {hasTickets && (isOffline || isAsked) ? (
        <OfflineCodes
          key={itemIds.join()}
          kept={kept}
          subject={{ purchaseId, itemIds }}
          isOffline={isOffline}
        />
      ) : (
        <SignedCode userUuid={userUuid} itemIds={itemIds} />
      )}
      {hasTickets && !isOffline && (
        <div className="flex flex-col items-center gap-1">
          <Button variant="quiet" isCompact onClick={() => setIsAsked(!isAsked)}>
            {isAsked ? m.purchases_ticket_back() : m.purchases_ticket_show()}
          </Button>
          {!isAsked && (
            <p className="text-caption text-ink-quiet">{m.purchases_ticket_show_text()}</p>
          )}
        </div>
      )}
    </>
  );
}

interface OfflineCodesProps {
  kept: KeptTickets;
  subject: { readonly purchaseId: number; readonly itemIds: readonly number[] };
  isOffline: boolean;
}

/** One code for each ticket that holds some of the items, and the number of items in no ticket. */
function OfflineCodes({ kept, subject, isOffline }: OfflineCodesProps) {
  const { parts, leftOutCount } = ticketParts(kept, subject);
  // Without a ticket, the panel says why there is no code.
  if (parts.length === 0) return <OfflineCode {...{ kept, subject, isOffline }} />;
  return (
    <>
      <CodePager itemCounts={parts.map(({ length }) => length)}>
        {(index) => (
          <OfflineCode
            key={index}
            kept={kept}
            subject={{ ...subject, itemIds: parts[index] ?? [] }}
            isOffline={isOffline}
          />
        )}
      </CodePager>
      {leftOutCount > 0 && (
        <Notice kind="info">{m.purchases_ticket_left_out({ count: leftOutCount })}</Notice>
      )}
    </>
  );
}

function OfflineCode({ kept, subject, isOffline }: OfflineCodesProps) {
  const code = useTicketCode(kept, subject);
  return <TicketPanel code={code} userUuid={kept.userUuid} isOffline={isOffline} />;
}

/**
 * The purchase code, renewed every 10 s and for each selection (spec 7). While it is shown, the user does not count as inactive (D-181).
 */
function SignedCode({ userUuid, itemIds }: Omit<RedeemCodeProps, 'purchaseId'>) {
  const { code, askAgain } = useSignedQr({ kind: 'purchase', userUuid, itemIds });
  const isRefused = code.state === 'refused';
  useShownCode('text' in code);
  const offlineReason = useOfflineReason();
  useEffect(() => {
    // Most likely some items have been redeemed. The list shows the remaining ones.
    if (isRefused) void refreshPurchases();
  }, [isRefused]);
  return (
    <QrPanel
      label={m.purchases_qr_label()}
      value={'text' in code ? code.text : undefined}
      note={code.state === 'ageing' ? m.purchases_qr_ageing() : undefined}
      hasLogo={itemIds.length <= LOGO_ITEMS_MAX}
      blockedReason={offlineReason}
      loadingLabel={m.purchases_qr_loading()}
      failure={failureOf(code.state)}
      onTryAgain={askAgain}
    />
  );
}

function failureOf(state: string): string | undefined {
  if (state === 'refused') return m.purchases_qr_refused();
  return state === 'failed' ? m.purchases_qr_failed() : undefined;
}
