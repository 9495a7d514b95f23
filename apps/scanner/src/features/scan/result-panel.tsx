import { m } from '@athos/messages/messages';
import { useEffect, useState } from 'react';
import type { Redemption } from '../../api/codes.ts';
import { groupEqual } from './item-groups.ts';
import { ItemList, ItemRow } from './item-row.tsx';
import { alreadyRedeemed, stateWords } from './item-words.ts';
import { NextButton, Panel } from './panel.tsx';
import { Verdict } from './verdict.tsx';

/** The outcome on the server, item by item. If everything was redeemed, the camera comes back by itself. */
export function ResultPanel(props: { redemption: Redemption; onNext: () => void }) {
  const { redemption, onNext } = props;
  const isGreen = redemption.redeemedCount === redemption.results.length;
  const seconds = useReturn(isGreen, onNext);
  return (
    <Panel
      action={
        <>
          {seconds !== undefined && (
            <p className="text-body text-ink-quiet tabular text-center">
              {m.scanner_app_returning({ seconds })}
            </p>
          )}
          <NextButton onNext={onNext} />
        </>
      }
    >
      <Outcome redemption={redemption} />
      <ItemList label={m.scanner_app_result_label()}>
        {groupEqual(redemption.results, outcomeOf).map(({ key, first: item, items }) => (
          <ItemRow
            key={key}
            item={item}
            count={items.length}
            words={stateWords(item.outcome, item)}
            tone={item.outcome === 'redeemed' ? 'good' : 'bad'}
          />
        ))}
      </ItemList>
    </Panel>
  );
}

const outcomeOf = ({ outcome }: Redemption['results'][number]) => outcome;

/** Long enough to read the verdict, which remains in today's list. */
const RETURN_MS = 4000;

const SIGNS_OF_STAFF = ['pointerdown', 'wheel', 'keydown'] as const;

/** Returns the seconds until the camera comes back; `undefined` once staff have touched anything, which stops the return. */
function useReturn(isWanted: boolean, onNext: () => void): number | undefined {
  const [isReturning, setIsReturning] = useState(isWanted);
  const [leftMs, setLeftMs] = useState(RETURN_MS);
  useEffect(() => {
    if (!isReturning) return undefined;
    const endsAtMs = Date.now() + RETURN_MS;
    const timer = setInterval(() => {
      setLeftMs(endsAtMs - Date.now());
      if (Date.now() >= endsAtMs) onNext();
    }, 250);
    const stay = (): void => setIsReturning(false);
    for (const sign of SIGNS_OF_STAFF) document.addEventListener(sign, stay);
    return () => {
      clearInterval(timer);
      for (const sign of SIGNS_OF_STAFF) document.removeEventListener(sign, stay);
    };
  }, [isReturning, onNext]);
  return isReturning ? Math.max(1, Math.ceil(leftMs / 1000)) : undefined;
}

function Outcome({ redemption }: { redemption: Redemption }) {
  const { redeemedCount: count, results } = redemption;
  const [first] = results;
  if (count === results.length) {
    return <Verdict tone="good" title={m.scanner_app_result_all_title({ count })} />;
  }
  if (count > 0) {
    return (
      <Verdict
        tone="partly"
        title={m.scanner_app_result_some_title({ count, total: results.length })}
      >
        {m.scanner_app_result_some()}
      </Verdict>
    );
  }
  const isUsed = results.length === 1 && first?.outcome === 'already_redeemed';
  return (
    <Verdict tone="bad" title={m.scanner_app_result_none_title()}>
      {isUsed ? alreadyRedeemed(first) : m.scanner_app_result_none()}
    </Verdict>
  );
}
