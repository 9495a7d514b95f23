import type { ReactNode } from 'react';

/** A form that submits without leaving the page. */
export function Form({ onSubmit, children }: { onSubmit: () => unknown; children: ReactNode }) {
  return (
    <form
      className="flex grow flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
