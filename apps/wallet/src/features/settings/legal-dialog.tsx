import { m } from '@athos/messages/messages';
import { Dialog } from '@athos/ui/overlays/dialog';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { lazy, Suspense } from 'react';

export type LegalName = 'terms' | 'privacy';

/** Loaded on demand, because the texts are larger than the rest of the settings. */
const LegalText = lazy(async () => ({ default: (await import('./legal-text.tsx')).LegalText }));

interface LegalDialogProps {
  /** Which text to show; `undefined` closes the dialog. */
  name: LegalName | undefined;
  onClose: () => void;
}

/** Shows the brand's terms or privacy policy over the settings. */
export function LegalDialog({ name, onClose }: LegalDialogProps) {
  return (
    <Dialog
      isOpen={name !== undefined}
      onClose={onClose}
      title={name === 'privacy' ? m.settings_privacy() : m.settings_terms()}
    >
      {name !== undefined && (
        <Suspense fallback={<LegalSkeleton />}>
          <LegalText name={name} />
        </Suspense>
      )}
    </Dialog>
  );
}

function LegalSkeleton() {
  return (
    <div role="status" aria-label={m.common_loading()} className="flex flex-col gap-2.5">
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-4/5" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-3/5" />
    </div>
  );
}
