import { isNetworkLost } from '@athos/app-core/network';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Checkbox } from '@athos/ui/fields/checkbox';
import { QuantityPicker } from '@athos/ui/fields/quantity-picker';
import { plainText } from '@athos/ui/text/markdown';
import { useValue } from '@athos/app-core/value';
import { useState } from 'react';
import type { PurchaseScan, ScannedItem } from '../../api/codes.ts';
import { Countdown, useSecondsLeft } from './countdown.tsx';
import { HolderLine } from './holder-line.tsx';
import { groupEqual, type ItemGroup } from './item-groups.ts';
import { ItemBody, ItemList, ItemRow } from './item-row.tsx';
import { isUsedState, itemsTitle, stateWords } from './item-words.ts';
import { NextButton, Panel, useFocusAtFirst } from './panel.tsx';
import { Verdict } from './verdict.tsx';

interface ItemsPanelProps {
  scan: PurchaseScan;
  /** The code was judged by this device, which can redeem it without a network. */
  isOffline: boolean;
  onRedeem: (itemIds: readonly number[]) => void;
  onNext: () => void;
}

const stateOf = ({ state }: ScannedItem) => state;
const isRedeemable = (item: ScannedItem): boolean => stateOf(item) === 'redeemable';

/** The items in a purchase code, to redeem all, some or none of them. */
export function ItemsPanel({ scan, isOffline, onRedeem, onNext }: ItemsPanelProps) {
  const redeemable = scan.items.filter(isRedeemable);
  return redeemable.length === 0 ? (
    <NothingPanel scan={scan} onNext={onNext} />
  ) : (
    <ChoicePanel
      scan={scan}
      isOffline={isOffline}
      redeemable={redeemable}
      onRedeem={onRedeem}
      onNext={onNext}
    />
  );
}

function NothingPanel({ scan, onNext }: { scan: PurchaseScan; onNext: () => void }) {
  const [first] = scan.items;
  const isUsed = scan.items.every(({ state }) => isUsedState(state));
  return (
    <Panel action={<NextButton onNext={onNext} />}>
      {isUsed && first !== undefined ? (
        <Verdict tone="bad" title={m.scanner_app_nothing_used_title()}>
          {scan.items.length === 1 ? stateWords(first.state, first) : m.scanner_app_nothing_used()}
        </Verdict>
      ) : (
        <Verdict tone="bad" title={m.scanner_app_nothing_title()}>
          {m.scanner_app_nothing()}
        </Verdict>
      )}
      <HolderLine holder={scan.holder} />
      <ItemList label={m.scanner_app_items_label()}>
        {groupEqual(scan.items, stateOf).map(({ key, first: item, items }) => (
          <ItemRow
            key={key}
            item={item}
            count={items.length}
            words={stateWords(item.state, item)}
            tone="bad"
          />
        ))}
      </ItemList>
    </Panel>
  );
}

interface ChoicePanelProps extends ItemsPanelProps {
  redeemable: readonly ScannedItem[];
}

function ChoicePanel({ scan, isOffline, redeemable, onRedeem, onNext }: ChoicePanelProps) {
  const heading = useFocusAtFirst<HTMLHeadingElement>();
  const [leftOut, setLeftOut] = useState<ReadonlySet<number>>(new Set());
  const seconds = useSecondsLeft(scan.redeemUntil);
  const isBlocked = useValue(isNetworkLost) && !isOffline;
  const chosen = redeemable.filter(({ id }) => !leftOut.has(id));

  function choose({ items }: ItemGroup<ScannedItem>, count: number): void {
    const others = [...leftOut].filter((id) => items.every((item) => item.id !== id));
    setLeftOut(new Set([...others, ...items.slice(count).map(({ id }) => id)]));
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
              disabledReason={blockedReason(chosen.length, isBlocked)}
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
          {itemsTitle(scan.items)}
        </h2>
        <HolderLine holder={scan.holder} />
        {isOffline && <p className="text-body text-ink-quiet">{m.scanner_offline_looked()}</p>}
      </div>
      <ItemList label={m.scanner_app_items_label()}>
        {groupEqual(scan.items, stateOf).map((group) =>
          isRedeemable(group.first) && !isOver ? (
            <ChoiceRow
              key={group.key}
              group={group}
              chosenCount={group.items.filter(({ id }) => !leftOut.has(id)).length}
              onChoose={(count) => choose(group, count)}
            />
          ) : (
            <ItemRow
              key={group.key}
              item={group.first}
              count={group.items.length}
              words={stateWords(group.first.state, group.first)}
              tone={isRedeemable(group.first) ? 'neutral' : 'bad'}
            />
          ),
        )}
      </ItemList>
    </Panel>
  );
}

interface ChoiceRowProps {
  group: ItemGroup<ScannedItem>;
  chosenCount: number;
  onChoose: (count: number) => void;
}

/** Equal items to redeem: a checkbox for all or none of them, and a count if there are several. */
function ChoiceRow({ group, chosenCount, onChoose }: ChoiceRowProps) {
  const { first: item, items } = group;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 p-3 pr-4">
      <Checkbox
        isChecked={chosenCount > 0}
        onCheckedChange={(isChecked) => onChoose(isChecked ? items.length : 0)}
      >
        <ItemBody
          item={item}
          count={items.length}
          words={stateWords(item.state, item)}
          tone="neutral"
        />
      </Checkbox>
      {items.length > 1 && (
        <div className="ms-auto">
          <QuantityPicker
            label={m.scanner_app_how_many({ title: plainText(item.title) })}
            value={chosenCount}
            min={0}
            max={items.length}
            onValueChange={onChoose}
          />
        </div>
      )}
    </li>
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

function blockedReason(chosenCount: number, isBlocked: boolean): string | undefined {
  if (isBlocked) return m.scanner_app_redeem_reason_offline();
  return chosenCount === 0 ? m.scanner_app_redeem_reason_none() : undefined;
}
