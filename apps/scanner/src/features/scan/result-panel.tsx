import { m } from '@athos/messages/messages';
import type { Redemption } from '../../api/codes.ts';
import { ItemList, ItemRow } from './item-row.tsx';
import { alreadyRedeemed, stateWords } from './item-words.ts';
import { NextButton, Panel } from './panel.tsx';
import { Verdict } from './verdict.tsx';

/** The outcome on the server, item by item. */
export function ResultPanel(props: { redemption: Redemption; onNext: () => void }) {
  const { redemption, onNext } = props;
  return (
    <Panel action={<NextButton onNext={onNext} />}>
      <Outcome redemption={redemption} />
      <ItemList label={m.scanner_app_result_label()}>
        {redemption.results.map((item) => (
          <ItemRow
            key={item.id}
            item={item}
            words={stateWords(item.outcome, item)}
            tone={item.outcome === 'redeemed' ? 'good' : 'bad'}
          />
        ))}
      </ItemList>
    </Panel>
  );
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
