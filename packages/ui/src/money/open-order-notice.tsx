import type { ReactNode } from 'react';
import { m } from '@athos/messages/messages';
import { Button } from '../primitives/button.tsx';
import { Countdown } from '../primitives/countdown.tsx';
import { Notice } from '../primitives/notice.tsx';

export interface OpenOrderNoticeProps {
  /** The purchase that waits for its card, and its total. */
  children: ReactNode;
  endsAtMs: number;
  /** The server's clock. */
  nowMs: () => number;
  onEnd: () => void;
  /** The control that continues the purchase. */
  resume: ReactNode;
  isCanceling: boolean;
  /** Disables canceling while there is no network. Another element shows the reason. */
  isOffline: boolean;
  onCancel: () => void;
}

/** An open card purchase: its end, and the controls to continue and to cancel it. */
export function OpenOrderNotice(props: OpenOrderNoticeProps) {
  const { endsAtMs, nowMs, onEnd, isCanceling } = props;
  return (
    <Notice
      kind="info"
      title={m.buy_open_title()}
      action={
        <div className="flex flex-wrap items-start gap-2">
          {props.resume}
          <Button
            variant="plain"
            isCompact
            isPending={isCanceling}
            isDisabled={props.isOffline}
            aria-label={isCanceling ? undefined : m.buy_open_cancel()}
            onClick={props.onCancel}
          >
            {isCanceling ? m.buy_open_canceling() : m.common_cancel()}
          </Button>
        </div>
      }
    >
      {props.children}
      <p className="text-caption text-ink-quiet pt-1">
        <Countdown
          key={endsAtMs}
          endsAtMs={endsAtMs}
          nowMs={nowMs}
          label={(time) => m.buy_open_ends({ time })}
          announcement={(count) => m.buy_open_minutes({ count })}
          onEnd={onEnd}
        />
      </p>
    </Notice>
  );
}
