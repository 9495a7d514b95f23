/** The panels of a scanner without a network: the question once per shift, refusals, and redemptions that are not confirmed yet. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { useValue } from '@athos/app-core/value';
import type { OfflineItem, OfflineRefusal } from '@athos/domain/judge-offline';
import { offlineStatus } from '../../state/offline-status.ts';
import { groupEqual } from './item-groups.ts';
import { ItemList, ItemRow } from './item-row.tsx';
import { offlineRefusalText } from './offline-words.ts';
import { purchaseScanOf } from './offline-scan.ts';
import { NextButton, Panel, useFocusAtFirst } from './panel.tsx';
import { timeText } from './time-text.ts';
import { Verdict } from './verdict.tsx';

interface OfflineQuestionProps {
  onRedeem: () => void;
  onWait: () => void;
}

/** Requires one deliberate tap before anything is redeemed without the server's confirmation. */
export function OfflineQuestion({ onRedeem, onWait }: OfflineQuestionProps) {
  const wait = useFocusAtFirst<HTMLButtonElement>();
  const allowance = useValue(offlineStatus)?.allowance;
  return (
    <Panel
      action={
        <>
          <Button isWide onClick={onRedeem}>
            {m.scanner_offline_redeem()}
          </Button>
          <Button ref={wait} variant="quiet" isWide onClick={onWait}>
            {m.scanner_offline_wait()}
          </Button>
        </>
      }
    >
      <Verdict tone="offline" title={m.scanner_offline_question()}>
        {m.scanner_offline_question_text({
          count: allowance?.left ?? 0,
          time: allowance === undefined ? '' : timeText(allowance.untilMs),
        })}
      </Verdict>
    </Panel>
  );
}

export function OfflineRefused(props: { refusal: OfflineRefusal; onNext: () => void }) {
  const { title, advice } = offlineRefusalText(props.refusal);
  return (
    <Panel action={<NextButton onNext={props.onNext} />}>
      <Verdict tone="bad" title={title}>
        {advice}
      </Verdict>
    </Panel>
  );
}

/** Amber and dashed: the items are handed out, and confirmed only once the network is back. */
export function OfflineResult(props: { items: readonly OfflineItem[]; onNext: () => void }) {
  const { items } = purchaseScanOf({ holder: '', leftMs: 0 }, props.items);
  return (
    <Panel action={<NextButton onNext={props.onNext} />}>
      <Verdict tone="offline" title={m.scanner_offline_result()}>
        {m.scanner_offline_result_text()}
      </Verdict>
      <ItemList label={m.scanner_app_result_label()}>
        {groupEqual(items, ({ state }) => state).map(({ key, first, items: equal }) => (
          <ItemRow
            key={key}
            item={first}
            count={equal.length}
            words={m.scanner_offline_result()}
            tone="neutral"
          />
        ))}
      </ItemList>
    </Panel>
  );
}
