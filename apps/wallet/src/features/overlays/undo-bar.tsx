import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { classNames } from '@athos/ui/primitives/class-names';
import { useFocusAfter } from '@athos/ui/primitives/use-focus-after';
import { useRef, useState } from 'react';
import { useHolds, type Hold } from '../../api/holds.ts';
import { useUndo } from '../../api/undo.ts';

/** Announces the user's own sends, and lists them on every screen until they arrive, each with 'Undo'. */
export function UndoBar() {
  const sent = useHolds()?.sent ?? [];
  return (
    <>
      <Announcements sent={sent} />
      {sent.length > 0 && <Bar sent={sent} />}
    </>
  );
}

/** Outlives the bar: screen readers announce what is added to a live region, but not what it is inserted with. */
function Announcements({ sent }: { sent: readonly Hold[] }) {
  return (
    // Only what is added is read out, not the sends that were announced before.
    <div aria-live="polite" aria-relevant="additions" className="sr-only">
      {sent.map((hold) => (
        <Announcement key={hold.id} hold={hold} />
      ))}
    </div>
  );
}

function Announcement({ hold }: { hold: Hold }) {
  const { words } = useUndo(hold);
  return <p>{m.send_holds_status(words)}</p>;
}

function Bar({ sent }: { sent: readonly Hold[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const shown = isOpen ? sent : sent.slice(0, 1);
  return (
    <section
      aria-label={m.send_holds_label()}
      className={classNames(
        'bg-info-surface border-line safe-inline top-0 z-20 border-b pt-[env(safe-area-inset-top)]',
        // Only the collapsed bar is sticky: the whole list would cover the screen.
        !isOpen && 'sticky @max-[16rem]/shell:static',
      )}
    >
      <div className="max-w-column @rail/shell:mx-0 @rail/shell:px-8 mx-auto flex flex-col px-4 py-2">
        <ul className="flex flex-col gap-2">
          {shown.map((hold) => (
            <UndoRow key={hold.id} hold={hold} />
          ))}
        </ul>
        {sent.length > 1 && (
          <div className="self-start">
            <Button
              variant="plain"
              isCompact
              aria-expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
            >
              {isOpen ? m.send_holds_less() : m.send_holds_more({ count: sent.length - 1 })}
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

const screenContent = (): HTMLElement | null => document.getElementById('content');

function UndoRow({ hold }: { hold: Hold }) {
  const row = useRef<HTMLLIElement>(null);
  const { words, arrives, undo, isUndoing, offlineReason } = useUndo(hold);
  useFocusAfter(row, screenContent);
  const handleUndo = async (): Promise<void> => {
    // The button was disabled while the send was taken back, so it has lost the focus.
    if (await undo()) screenContent()?.focus({ preventScroll: true });
  };
  return (
    <li ref={row} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <p className="text-caption min-w-0 grow basis-40">
        <strong className="text-body text-info block font-semibold wrap-anywhere">
          {m.send_holds_row(words)}
        </strong>
        {/* A countdown announced every second would drown out everything else. */}
        <span role="timer" aria-live="off" className="tabular">
          {arrives}
        </span>
      </p>
      <Button
        variant="quiet"
        isCompact
        isPending={isUndoing}
        disabledReason={offlineReason}
        aria-label={m.send_undo_of(words)}
        onClick={() => void handleUndo()}
      >
        {m.send_undo()}
      </Button>
    </li>
  );
}
