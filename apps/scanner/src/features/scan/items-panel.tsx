import { isNetworkLost } from '@athos/app-core/network';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Checkbox } from '@athos/ui/fields/checkbox';
import { useValue } from '@athos/app-core/value';
import { useState } from 'react';
import type { PurchaseScan, ScannedItem } from '../../api/codes.ts';
import { Countdown, useSecondsLeft } from './countdown.tsx';
import { HolderLine } from './holder-line.tsx';
import { ItemBody, ItemList, ItemRow } from './item-row.tsx';
import { alreadyRedeemed, stateWords } from './item-words.ts';
import { NextButton, Panel, useFocusAtFirst } from './panel.tsx';
import { Verdict } from './verdict.tsx';

interface ItemsPanelProps {
  scan: PurchaseScan;
  onRedeem: (itemIds: readonly number[]) => void;
  onNext: () => void;
}

const isRedeemable = ({ state }: ScannedItem): boolean => state === 'redeemable';

/** The items in a purchase code, to redeem all, some or none of them. */
export function ItemsPanel({ scan, onRedeem, onNext }: ItemsPanelProps) {
  const redeemable = scan.items.filter(isRedeemable);
  return redeemable.length === 0 ? (
    <NothingPanel scan={scan} onNext={onNext} />
  ) : (
    <ChoicePanel scan={scan} redeemable={redeemable} onRedeem={onRedeem} onNext={onNext} />
  );
}

function NothingPanel({ scan, onNext }: { scan: PurchaseScan; onNext: () => void }) {
  const [first] = scan.items;
  const isUsed = scan.items.every(({ state }) => state === 'already_redeemed');
  return (
    <Panel action={<NextButton onNext={onNext} />}>
      {isUsed && first !== undefined ? (
        <Verdict tone="bad" title={m.scanner_app_nothing_used_title()}>
          {scan.items.length === 1 ? alreadyRedeemed(first) : m.scanner_app_nothing_used()}
        </Verdict>
      ) : (
        <Verdict tone="bad" title={m.scanner_app_nothing_title()}>
          {m.scanner_app_nothing()}
        </Verdict>
      )}
      <HolderLine holder={scan.holder} />
      <ItemList label={m.scanner_app_items_label()}>
        {scan.items.map((item) => (
          <ItemRow key={item.id} item={item} words={stateWords(item.state, item)} tone="bad" />
        ))}
      </ItemList>
    </Panel>
  );
}

interface ChoicePanelProps extends ItemsPanelProps {
  redeemable: readonly ScannedItem[];
}

function ChoicePanel({ scan, redeemable, onRedeem, onNext }: ChoicePanelProps) {
  const heading = useFocusAtFirst<HTMLHeadingElement>();
  const [leftOut, setLeftOut] = useState<ReadonlySet<number>>(new Set());
  const seconds = useSecondsLeft(scan.redeemUntil);
  const isOffline = useValue(isNetworkLost);
  const chosen = redeemable.filter(({ id }) => !leftOut.has(id));

  function toggle(id: number): void {
    const next = new Set(leftOut);
    if (!next.delete(id)) next.add(id);
    setLeftOut(next);
  }

  const isOver = seconds === 0;
  return (
    <Panel
      action={
        isOver ? (
          <OverAction onNext={onNext} />
        ) : (
          <>
            <Countdown seconds={seconds} />
            <Button
              isWide
              onClick={() => onRedeem(chosen.map(({ id }) => id))}
              disabledReason={blockedReason(chosen.length, isOffline)}
            >
              {chosen.length === redeemable.length
                ? m.scanner_app_redeem_all({ count: chosen.length })
                : m.scanner_app_redeem_some({ count: chosen.length, total: redeemable.length })}
            </Button>
            <Button variant="plain" onClick={onNext}>
              {m.scanner_app_cancel()}
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-1">
        <h2
          ref={heading}
          tabIndex={-1}
          className="font-display text-headline font-bold tracking-tight outline-none"
        >
          {m.scanner_app_items_title({ count: scan.items.length })}
        </h2>
        <HolderLine holder={scan.holder} />
      </div>
      <ItemList label={m.scanner_app_items_label()}>
        {scan.items.map((item) =>
          isRedeemable(item) && !isOver ? (
            <li key={item.id} className="flex p-3 pr-4">
              <Checkbox isChecked={!leftOut.has(item.id)} onCheckedChange={() => toggle(item.id)}>
                <ItemBody item={item} words={stateWords(item.state, item)} tone="neutral" />
              </Checkbox>
            </li>
          ) : (
            <ItemRow
              key={item.id}
              item={item}
              words={stateWords(item.state, item)}
              tone={isRedeemable(item) ? 'neutral' : 'bad'}
            />
          ),
        )}
      </ItemList>
    </Panel>
  );
}

function OverAction({ onNext }: { onNext: () => void }) {
  return (
    <>
      <p role="alert" className="text-body text-danger text-center text-pretty">
        {m.scanner_app_redeem_reason_over()}
      </p>
      <NextButton onNext={onNext} />
    </>
  );
}

function blockedReason(chosenCount: number, isOffline: boolean): string | undefined {
  if (isOffline) return m.scanner_app_redeem_reason_offline();
  return chosenCount === 0 ? m.scanner_app_redeem_reason_none() : undefined;
}
