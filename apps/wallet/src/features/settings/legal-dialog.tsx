import { m } from '@athos/messages/messages';
import { Dialog } from '@athos/ui/overlays/dialog';
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
        <Suspense>
          <LegalText name={name} />
        </Suspense>
      )}
    </Dialog>
  );
}
