/** The stock left to sell, and the changes that staff made to it. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { lazy, Suspense, useState } from 'react';
import { ActionMenu } from '../../kit/action-menu.tsx';
import { Badge } from '../../kit/badge.tsx';
import { Facts, Section } from '../../kit/detail.tsx';
import { useLack } from '../../kit/permission.ts';
import { Timeline } from '../../kit/timeline.tsx';
import { TIP_KIND, type ConsoleOffer } from './catalogue-words.ts';
import type { StockAct } from './stock-dialogs.tsx';

const StockDialog = lazy(async () => ({
  default: (await import('./stock-dialogs.tsx')).StockDialog,
}));

type Move = ConsoleOffer['stock']['moves'][number];

const MOVE_TITLES: Readonly<Record<Move['kind'], () => string>> = {
  count: m.catalogue_move_count,
  correction: m.catalogue_move_correction,
  refund: m.catalogue_move_refund,
  unlimited: m.catalogue_move_unlimited,
};

export function OfferStock({ offer }: { offer: ConsoleOffer }) {
  const [act, setAct] = useState<StockAct>();
  const lack = useLack()('catalogue.stock');
  if (offer.fields.kind === TIP_KIND) return null;
  const { left, alertMax, isLow, soldSince } = offer.stock;
  const isUnlimited = left === null;
  return (
    <Section
      title={m.catalogue_stock()}
      actions={
        <>
          <ActionMenu
            actions={[
              {
                label: m.catalogue_stock_correct(),
                onPress: () => setAct('correction'),
                disabledReason: lack ?? (isUnlimited ? m.catalogue_unlimited() : undefined),
              },
              {
                label: m.catalogue_stock_free(),
                onPress: () => setAct('unlimited'),
                disabledReason: lack ?? (isUnlimited ? m.catalogue_unlimited() : undefined),
              },
              {
                label: m.catalogue_stock_alert_set(),
                onPress: () => setAct('alert'),
                disabledReason: lack,
              },
            ]}
          />
          <Button variant="quiet" isDense disabledReason={lack} onClick={() => setAct('count')}>
            {m.catalogue_stock_count()}
          </Button>
        </>
      }
    >
      <Facts
        facts={[
          {
            label: m.catalogue_stock_left(),
            value: (
              <span className="tabular inline-flex flex-wrap items-center gap-2">
                {left?.toLocaleString('en-US') ?? m.catalogue_unlimited()}
                {isLow && <Badge tone="danger">{m.catalogue_stock_low()}</Badge>}
                {soldSince !== null && soldSince > 0 && (
                  <span className="text-ink-quiet">
                    {m.catalogue_stock_sold({ count: soldSince })}
                  </span>
                )}
              </span>
            ),
          },
          {
            label: m.catalogue_stock_alert(),
            value: alertMax ?? m.catalogue_stock_alert_none(),
          },
        ]}
      />
      <Moves moves={offer.stock.moves} />
      {act !== undefined && (
        <Suspense fallback={null}>
          <StockDialog act={act} offer={offer} onClose={() => setAct(undefined)} />
        </Suspense>
      )}
    </Section>
  );
}

const stockText = (count: number | null): string =>
  count?.toLocaleString('en-US') ?? m.catalogue_unlimited();

function Moves({ moves }: { moves: readonly Move[] }) {
  if (moves.length === 0) {
    return <p className="text-dense text-ink-quiet">{m.catalogue_stock_none()}</p>;
  }
  return (
    <Timeline
      label={m.catalogue_stock()}
      entries={moves.map((move, index) => {
        const sold = index === 0 ? null : moves[index - 1]?.soldBefore;
        return {
          key: move.id,
          at: move.at,
          title: `${MOVE_TITLES[move.kind]()}, ${move.staff.name}`,
          text: [
            move.reason,
            sold !== null &&
              sold !== undefined &&
              sold > 0 &&
              m.catalogue_stock_sold({ count: sold }),
          ]
            .filter(Boolean)
            .join(' · '),
          trailing: (
            <span className="tabular">
              {m.catalogue_move_change({
                before: stockText(move.before),
                after: stockText(move.after),
              })}
            </span>
          ),
        };
      })}
    />
  );
}
