import type { ReactNode } from 'react';

export interface EmptyStateProps {
  icon?: ReactNode;
  /** Omitted if a heading already says it. */
  title?: string;
  text?: ReactNode;
  /** The next step. */
  action?: ReactNode;
}

/** Says that there is nothing to show, and what to do about it. */
export function EmptyState({ icon, title, text, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-10 text-center">
      {icon !== undefined && (
        <span
          aria-hidden="true"
          className="bg-sunken text-accent-text rounded-pill mb-1 flex size-16 items-center justify-center"
        >
          {icon}
        </span>
      )}
      {title !== undefined && (
        <p className="font-display text-title font-bold text-balance">{title}</p>
      )}
      {text !== undefined && (
        <p className="text-body text-ink-quiet max-w-form text-balance">{text}</p>
      )}
      {action !== undefined && <div className="pt-3">{action}</div>}
    </div>
  );
}
