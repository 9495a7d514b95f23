import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Spinner } from '@athos/ui/primitives/spinner';
import { Panel } from './panel.tsx';
import { SlowNote } from './slow-note.tsx';
import { Verdict } from './verdict.tsx';

interface RedeemingPanelProps {
  itemCount: number;
  /** An answer did not come. */
  isRepeat: boolean;
  isAsking: boolean;
  onAskAgain: () => void;
  onSetAside: () => void;
}

/** While the server has not said what became of it, nothing here looks like success. */
export function RedeemingPanel(props: RedeemingPanelProps) {
  const { itemCount, isRepeat, isAsking, onAskAgain, onSetAside } = props;
  if (!isRepeat) {
    return (
      <Panel
        action={
          <Button isWide isPending>
            {m.scanner_app_redeeming({ count: itemCount })}
          </Button>
        }
      >
        <div className="flex grow flex-col items-center justify-center gap-4 py-12 text-center">
          <span className="text-accent-text [&_svg]:size-12">
            <Spinner />
          </span>
          <p className="font-display text-title font-bold text-balance">
            {m.scanner_app_redeeming_wait()}
          </p>
          <SlowNote />
        </div>
      </Panel>
    );
  }
  return (
    <Panel
      action={
        <>
          <Button isWide isPending={isAsking} onClick={onAskAgain}>
            {isAsking ? m.scanner_app_unknown_asking() : m.scanner_app_ask_again()}
          </Button>
          <Button variant="plain" onClick={onSetAside}>
            {m.scanner_app_set_aside()}
          </Button>
        </>
      }
    >
      <Verdict tone="open" title={m.scanner_app_unknown_title()}>
        {m.scanner_app_unknown()}
      </Verdict>
      <p className="text-body text-ink-quiet text-center text-pretty">
        {m.scanner_app_unknown_waiting()} {m.scanner_app_set_aside_hint()}
      </p>
    </Panel>
  );
}
