import { m } from '@athos/messages/messages';
import { Checkbox } from '@athos/ui/fields/checkbox';
import { Button } from '@athos/ui/primitives/button';
import { Card } from '@athos/ui/primitives/card';
import { ChoiceRow } from '@athos/ui/primitives/choice-row';
import { CopyButton } from '@athos/ui/primitives/copy-button';
import { List, ListRow } from '@athos/ui/primitives/list-row';
import { useQuery } from '@tanstack/react-query';
import LinkIcon from 'lucide-react/icons/link';
import { useState } from 'react';
import {
  endReceiptShare,
  receiptSharesQuery,
  shareReceipt,
  type ReceiptShare,
} from '../../api/receipt-shares.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';
import { detailDate } from './history-date.ts';

const DAYS = ['7', '30', '90'] as const;

/** Creates a link that shows the receipt to others, and ends existing links. */
export function ReceiptShares({ movementId }: { movementId: number }) {
  const offlineReason = useOfflineReason();
  const { data: shares = [] } = useQuery(receiptSharesQuery);
  const [withNames, setWithNames] = useState(false);
  const [days, setDays] = useState<(typeof DAYS)[number]>('30');
  const [isMaking, setIsMaking] = useState(false);
  const [link, setLink] = useState<string>();
  const own = shares.filter((share) => share.movementId === movementId);

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
      {own.length > 0 && <Shares shares={own} offlineReason={offlineReason} />}
    </Card>
  );
}

interface SharesProps {
  shares: readonly ReceiptShare[];
  offlineReason: string | undefined;
}

function Shares({ shares, offlineReason }: SharesProps) {
  const [ending, setEnding] = useState<string>();

  async function handleEnd(id: string): Promise<void> {
    setEnding(id);
    await endReceiptShare(id);
    setEnding(undefined);
  }

  return (
    <List label={m.history_share_links()}>
      {shares.map(({ id, withNames, expiresAt }) => (
        <ListRow
          key={id}
          title={withNames ? m.history_share_with_names() : m.history_share_without_names()}
          subtitle={m.history_share_until({ date: detailDate(expiresAt) })}
          control={
            <Button
              variant="quiet"
              isCompact
              isPending={ending === id}
              disabledReason={offlineReason}
              onClick={() => void handleEnd(id)}
            >
              {m.history_share_end()}
            </Button>
          }
        />
      ))}
    </List>
  );
}
