/** The progress of something, as a bar and in words. */

interface BarProps {
  label: string;
  done: number;
  total: number;
}

/** Without `done`, it only shows that something is in progress. */
type ProgressBarProps = Pick<BarProps, 'label'> & Partial<BarProps>;

/** Drawn by hand, because the browsers' own bars support neither theme. */
export function ProgressBar({ label, done, total = 1 }: ProgressBarProps) {
  return (
    <progress
      aria-label={label}
      value={done}
      max={Math.max(total, done ?? 0, 1)}
      className="bg-line rounded-pill [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent indeterminate:animate-pulse indeterminate:[&::-webkit-progress-bar]:bg-accent h-1.5 w-full appearance-none overflow-hidden"
    />
  );
}

export function Progress({ text, ...bar }: BarProps & { text: string }) {
  return (
    <div className="text-dense flex flex-col gap-1">
      <ProgressBar {...bar} />
      <span role="status" className="text-ink-quiet tabular">
        {text}
      </span>
    </div>
  );
}
