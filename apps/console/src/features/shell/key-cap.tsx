import { classNames } from '@athos/ui/primitives/class-names';

/** A key drawn as a key cap. */
export function KeyCap({ keys, className }: { keys: string; className?: string }) {
  return (
    <kbd
      className={classNames(
        'font-text text-caption text-ink-quiet rounded-dense inset-ring-line bg-ground px-1.5 inset-ring',
        className,
      )}
    >
      {keys}
    </kbd>
  );
}
