/** How far a job is, as a bar and in words. */
export function Progress(props: { label: string; text: string; done: number; total: number }) {
  const { label, text, done, total } = props;
  return (
    <div className="text-dense flex flex-col gap-1">
      <progress
        aria-label={label}
        value={done}
        max={Math.max(total, done, 1)}
        className="h-1.5 w-full"
      />
      <span role="status" className="text-ink-quiet tabular">
        {text}
      </span>
    </div>
  );
}
