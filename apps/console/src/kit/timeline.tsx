/** The events of an object, newest first. */
import type { ReactNode } from 'react';
import { Time } from './time.tsx';

export interface TimelineEntry {
  readonly key: string;
  readonly at: string;
  readonly title: ReactNode;
  readonly text?: ReactNode;
  /** An amount or a link, at the end of the line. */
  readonly trailing?: ReactNode;
}

export function Timeline({ entries, label }: { entries: readonly TimelineEntry[]; label: string }) {
  return (
    <ol aria-label={label} className="flex flex-col">
      {entries.map(({ key, at, title, text, trailing }) => (
        <li key={key} className="group relative flex gap-3 pb-4 last:pb-0">
          <span
            aria-hidden="true"
            className="bg-line absolute top-4 bottom-0 left-[0.1875rem] w-px group-last:hidden"
          />
          <span aria-hidden="true" className="bg-line-strong rounded-pill mt-1.5 size-2 shrink-0" />
          <div className="text-dense flex min-w-0 grow flex-wrap items-baseline gap-x-4 gap-y-0.5">
            <div className="flex min-w-0 flex-[1_1_12rem] flex-col">
              <span className="wrap-anywhere">{title}</span>
              {text !== undefined && (
                <span className="text-caption text-ink-quiet wrap-anywhere">{text}</span>
              )}
            </div>
            {trailing !== undefined && <span className="max-w-full min-w-0">{trailing}</span>}
            <span className="text-caption text-ink-quiet">
              <Time at={at} />
            </span>
          </div>
        </li>
      ))}
    </ol>
  );
}
