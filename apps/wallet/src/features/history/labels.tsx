import { m } from '@athos/messages/messages';

/** Labels of a movement, each as a chip. */
export function Labels({ labels }: { labels: readonly string[] }) {
  if (labels.length === 0) return null;
  return (
    <ul aria-label={m.history_labels()} className="flex flex-wrap gap-2">
      {labels.map((label) => (
        <li
          key={label}
          className="text-caption bg-sunken rounded-pill px-3 py-1 font-semibold wrap-anywhere"
        >
          {label}
        </li>
      ))}
    </ul>
  );
}
