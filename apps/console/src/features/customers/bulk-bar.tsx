/** The actions for the selected customers, or for all that match the filters. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { useState } from 'react';
import { useLack } from '../../kit/permission.ts';
import { BulkDialog, type BulkRows } from './bulk-dialog.tsx';
import { BULK_ACTS, type BulkActName } from './bulk-words.ts';

const NAMES = Object.keys(BULK_ACTS) as BulkActName[];

interface BulkActionsProps {
  ids: ReadonlySet<string>;
  /** Absent if a search decides which customers are shown. */
  filters: Extract<BulkRows, { filters: unknown }>['filters'] | undefined;
}

export function BulkActions({ ids, filters }: BulkActionsProps) {
  const lack = useLack();
  const [isAll, setIsAll] = useState(false);
  const [open, setOpen] = useState<BulkActName>();
  const rows: BulkRows = isAll && filters !== undefined ? { filters } : { ids: [...ids] };
  return (
    <>
      {NAMES.map((name) => (
        <Button
          key={name}
          variant="quiet"
          isDense
          disabledReason={lack(BULK_ACTS[name].permission)}
          onClick={() => setOpen(name)}
        >
          {BULK_ACTS[name].title()}
        </Button>
      ))}
      {filters !== undefined && (
        <label className="control flex items-center gap-2 px-1">
          <input
            type="checkbox"
            checked={isAll}
            onChange={(event) => setIsAll(event.target.checked)}
            className="size-4"
          />
          {m.customers_bulk_all()}
        </label>
      )}
      {open !== undefined && (
        <BulkDialog name={open} rows={rows} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}
