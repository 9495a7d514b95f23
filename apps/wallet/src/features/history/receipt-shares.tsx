import { receiptNumber } from '@athos/domain/receipt';
import { m } from '@athos/messages/messages';
import { Checkbox } from '@athos/ui/fields/checkbox';
import { Button } from '@athos/ui/primitives/button';
import { Card } from '@athos/ui/primitives/card';
import { ChoiceRow } from '@athos/ui/primitives/choice-row';
import { CopyButton } from '@athos/ui/primitives/copy-button';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { List, ListRow } from '@athos/ui/primitives/list-row';
import { useQuery } from '@tanstack/react-query';
import LinkIcon from 'lucide-react/icons/link';
import { useState } from 'react';
import { useHistoryItem, type Movement } from '../../api/history.ts';
import {
  endReceiptShare,
  receiptSharesQuery,
  shareReceipt,
  type ReceiptShare,
} from '../../api/receipt-shares.ts';
import { paths } from '../../routes/paths.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';
import { detailDate } from './history-date.ts';
import { signedAmount, symbolOf, typeLabel } from './movement.ts';

const DAYS = ['7', '30', '90'] as const;

/** Creates a link that shows the receipt to others, and ends existing links. */
export function ReceiptShares({ movementId }: { movementId: number }) {
  const offlineReason = useOfflineReason();
  const [withNames, setWithNames] = useState(false);
  const [days, setDays] = useState<(typeof DAYS)[number]>('30');
  const [isMaking, setIsMaking] = useState(false);
  const [link, setLink] = useState<string>();

  async function handleMake(): Promise<void> {
    setIsMaking(true);
    setLink(await shareReceipt(movementId, { withNames, days: Number(days) }));
    setIsMaking(false);
  }

  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-col gap-1">
        <h2 className="font-display text-title font-bold">{m.history_share_title()}</h2>
        <p className="text-body text-ink-quiet text-pretty">{m.history_share_text()}</p>
      </div>
      <Checkbox isChecked={withNames} onCheckedChange={setWithNames}>
        {m.history_share_names()}
      </Checkbox>
      <ChoiceRow
        legend={m.history_share_days()}
        options={DAYS.map((value) => ({
          value,
          label: m.history_share_day_count({ count: value }),
        }))}
        value={days}
        onValueChange={setDays}
      />
      <Button
        variant="quiet"
        isWide
        icon={<LinkIcon size={18} aria-hidden />}
        isPending={isMaking}
        disabledReason={offlineReason}
        onClick={() => void handleMake()}
      >
        {m.history_share_make()}
      </Button>
      {link !== undefined && (
        <div role="status" className="flex flex-col gap-3">
          <p className="text-body">{m.history_share_made()}</p>
          <p className="text-body bg-sunken rounded-small p-3 break-all select-all">{link}</p>
          <CopyButton text={link} isWide />
        </div>
      )}
      <Shares movementId={movementId} offlineReason={offlineReason} />
    </Card>
  );
}

interface SharesProps {
  /** The movement on this screen. */
  movementId: number;
  offlineReason: string | undefined;
}

/** All links of the user, since their number is limited. Those to this receipt come first. */
function Shares({ movementId, offlineReason }: SharesProps) {
  const { data: shares, error, refetch } = useQuery(receiptSharesQuery);
  if (shares === undefined) {
    return (
      error !== null && (
        <FailureNotice text={m.history_share_links_failed()} onTryAgain={() => void refetch()} />
      )
    );
  }
  if (shares.length === 0) return null;
  const isOwn = (share: ReceiptShare): boolean => share.movementId === movementId;
  return (
    <div className="flex flex-col gap-2">
      <h3 className="text-body font-semibold">{m.history_share_links()}</h3>
      <List label={m.history_share_links()}>
        {shares.filter(isOwn).map((share) => (
          <ShareRow
            key={share.id}
            share={share}
            title={m.history_share_this()}
            offlineReason={offlineReason}
          />
        ))}
        {shares
          .filter((share) => !isOwn(share))
          .map((share) => (
            <OtherShareRow key={share.id} share={share} offlineReason={offlineReason} />
          ))}
      </List>
    </div>
  );
}

interface ShareRowProps {
  share: ReceiptShare;
  title: string;
  /** The receipt that the link shows, if it is not the one on this screen. */
  to?: string;
  offlineReason: string | undefined;
}

/** A link to another receipt. It has the receipt's number until its movement is loaded, and if that fails. */
function OtherShareRow({ share, offlineReason }: Omit<ShareRowProps, 'title' | 'to'>) {
  const { movementId } = share;
  const { data: movement } = useHistoryItem(movementId);
  return (
    <ShareRow
      share={share}
      title={movement === undefined ? receiptNumber(movementId) : titleOf(movement)}
      to={paths.receipt(movementId)}
      offlineReason={offlineReason}
    />
  );
}

const titleOf = (movement: Movement): string =>
  m.history_share_of({
    type: typeLabel(movement),
    amount: signedAmount(movement),
    symbol: symbolOf(movement),
  });

function ShareRow({ share, offlineReason, ...row }: ShareRowProps) {
  const { id, withNames, expiresAt } = share;
  const [isEnding, setIsEnding] = useState(false);

  async function handleEnd(): Promise<void> {
    setIsEnding(true);
    await endReceiptShare(id);
    setIsEnding(false);
  }

  return (
    <ListRow
      {...row}
      subtitle={m.history_share_terms({
        names: withNames ? m.history_share_with_names() : m.history_share_without_names(),
        until: m.history_share_until({ date: detailDate(expiresAt) }),
      })}
      control={
        <Button
          variant="quiet"
          isCompact
          isPending={isEnding}
          disabledReason={offlineReason}
          onClick={() => void handleEnd()}
        >
          {m.history_share_end()}
        </Button>
      }
    />
  );
}
