import type { ReactNode } from 'react';

/** A layout with the edited or listed tiers in the main column, and their preview and effect beside it. */
export function TierColumns({ main, aside }: { main: ReactNode; aside: ReactNode }) {
  return (
    <div className="@desk/shell:grid-cols-[minmax(0,1fr)_26rem] grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-8 pb-8">
      <div className="flex min-w-0 flex-col gap-6">{main}</div>
      <div className="@desk/shell:sticky @desk/shell:top-4 flex min-w-0 flex-col gap-8">
        {aside}
      </div>
    </div>
  );
}
