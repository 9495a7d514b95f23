import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { SkeletonRows } from '@athos/ui/primitives/skeleton';
import { Panel } from './panel.tsx';
import { SlowNote } from './slow-note.tsx';

/** In the shape of what comes. */
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
