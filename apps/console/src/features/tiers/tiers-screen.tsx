/** The tiers: the balance each requires, its look in the wallet, and the customers who would move after a change. */
import { formatAthRoundedUp } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { Notice } from '@athos/ui/primitives/notice';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import Medal from 'lucide-react/icons/medal';
import { lazy, Suspense, useState } from 'react';
import { useAdminItem } from '../../api/admin.ts';
import { AuditOf } from '../../kit/audit-of.tsx';
import { ObjectLink } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { Page } from '../../kit/page.tsx';
import { useHolds, useLack } from '../../kit/permission.ts';
import { paths } from '../../routes/paths.ts';
import { shownTier, type Ladder, type LadderTier, type ShownTier } from './tier-draft.ts';
import { amountsOf } from './tier-moves.ts';
import { TierColumns } from './tier-columns.tsx';
import { TierPreview } from './tier-preview.tsx';
import { WhoWouldMove } from './who-would-move.tsx';

const TierEditor = lazy(async () => ({
  default: (await import('./tier-editor.tsx')).TierEditor,
}));

export function TiersScreen() {
  const { item, failure, reload } = useAdminItem('consoleTiers', {});
  // The tiers with which editing began: changes made by another person meanwhile are reported when the edit is submitted.
  const [edited, setEdited] = useState<Ladder>();
  const lack = useLack();
  return (
    <Page
      title={m.ladder_title()}
      actions={
        edited === undefined && (
          <Button
            isDense
            disabledReason={lack('tiers.edit')}
            isDisabled={item === undefined}
            onClick={() => setEdited(item)}
          >
            {m.ladder_edit()}
          </Button>
        )
      }
    >
      <p className="text-dense text-ink-quiet max-w-column">{m.ladder_lead()}</p>
      {item?.requestId != null && (
        <Notice
          kind="info"
          title={m.ladder_pending_title()}
          action={
            <ObjectLink to={paths.approval(item.requestId)}>{m.ladder_pending_open()}</ObjectLink>
          }
        >
          {m.ladder_pending()}
        </Notice>
      )}
      {edited !== undefined && (
        <Suspense fallback={<Skeleton className="h-72 w-full" />}>
          <TierEditor ladder={edited} onDone={() => setEdited(undefined)} />
        </Suspense>
      )}
      {edited === undefined && item !== undefined && <Tiers ladder={item} />}
      {item === undefined && failure === undefined && <Skeleton className="h-72 w-full" />}
      {item === undefined && failure !== undefined && (
        <FailureView failure={failure} onRetry={reload} />
      )}
    </Page>
  );
}

function Tiers({ ladder }: { ladder: Ladder }) {
  const now = ladder.items.toReversed().map(shownTier);
  if (now.length === 0) {
    return (
      <EmptyState
        icon={<Medal size={28} aria-hidden />}
        title={m.ladder_none_title()}
        text={m.ladder_none()}
      />
    );
  }
  return (
    <TierColumns
      main={
        <>
          <TierList tiers={ladder.items.toReversed()} />
          <AuditOf type="tiers" id="all" />
        </>
      }
      aside={
        <>
          <Holders now={now} />
          <TierPreview tiers={now} />
        </>
      }
    />
  );
}

/** Only for people who see money, because the counts reveal the balances of customers. */
function Holders({ now }: { now: readonly ShownTier[] }) {
  const maySee = useHolds()('reports.money');
  const read = useAdminItem(
    'tierHolders',
    { query: { amounts: amountsOf(now, now) } },
    { isAsked: maySee },
  );
  return maySee && <WhoWouldMove read={read} now={now} after={now} isEditing={false} />;
}

function TierList({ tiers }: { tiers: readonly LadderTier[] }) {
  return (
    <ul aria-label={m.ladder_title()} className="divide-line flex flex-col divide-y">
      {tiers.map((tier) => {
        const { id, title, color, note, offerCount, campaignCount } = tier;
        return (
          <li key={id} className="flex items-start gap-3 py-3">
            <span
              aria-hidden="true"
              className="rounded-dense inset-ring-line-strong size-8 shrink-0 inset-ring"
              style={{ backgroundColor: color }}
            />
            <div className="flex min-w-0 grow flex-col gap-0.5">
              <p className="text-dense flex flex-wrap items-baseline gap-x-3">
                <span className="text-body font-semibold wrap-anywhere">{title}</span>
                <span className="tabular">
                  {m.ladder_from({ amount: formatAthRoundedUp(shownTier(tier).amountMicroAth) })}
                </span>
                <span className="font-code text-caption text-ink-quiet ml-auto">{color}</span>
              </p>
              <p className="text-dense text-ink-quiet text-pretty wrap-anywhere">{note}</p>
              {offerCount + campaignCount > 0 && (
                <p className="text-caption text-ink-quiet">
                  {m.ladder_named({ offers: offerCount, campaigns: campaignCount })}
                </p>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
