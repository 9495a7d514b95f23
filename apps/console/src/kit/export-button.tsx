/** "Export this list": all rows that match its filters, not only the displayed ones (O-066). */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import Download from 'lucide-react/icons/download';
import { lazy, Suspense, useState } from 'react';
import type { ExportedList } from './export-dialog.tsx';
import { useLack } from './permission.ts';

const ExportDialog = lazy(async () => ({
  default: (await import('./export-dialog.tsx')).ExportDialog,
}));

export function ExportButton(list: ExportedList) {
  const lack = useLack();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant="quiet"
        isDense
        icon={<Download size={16} aria-hidden />}
        disabledReason={lack('exports.create')}
        onClick={() => setIsOpen(true)}
      >
        {m.exports_this_list()}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ExportDialog list={list} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
