/** Panels shown while a request is pending. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { SkeletonRows } from '@athos/ui/primitives/skeleton';
import { Spinner } from '@athos/ui/primitives/spinner';
import { useEffect, useState } from 'react';
import { Panel } from './panel.tsx';
import { Verdict } from './verdict.tsx';

/** A skeleton in the shape of the loading content. */
export function ReadingPanel({ onCancel }: { onCancel: () => void }) {
  return (
    <Panel
      action={
        <Button variant="plain" onClick={onCancel}>
          {m.scanner_app_cancel()}
        </Button>
      }
    >
      <h2 className="font-display text-headline font-bold tracking-tight">
        {m.scanner_app_reading()}
      </h2>
      <SkeletonRows count={2} label={m.scanner_app_reading()} />
      <SlowNote />
    </Panel>
  );
}

interface RedeemingPanelProps {
  itemCount: number;
  /** The outcome of an earlier attempt is unknown. */
  isRepeat: boolean;
  isAsking: boolean;
  onAskAgain: () => void;
  onSetAside: () => void;
}

/** Until the server responds, nothing here looks like success. */
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

/** Longer than a good network takes, but before staff begin to wonder. */
const SLOW_AFTER_MS = 3000;

/** Says after a while that the network is slow. */
function SlowNote() {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), SLOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="status" className="text-body text-ink-quiet min-h-6 text-center">
      {isSlow && m.scanner_app_slow()}
    </p>
  );
}
