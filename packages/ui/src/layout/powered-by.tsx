import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { classNames } from '../primitives/class-names.ts';
import { MarkGlyph } from './brand-mark.tsx';

/** Spec 1: every screen carries a 'powered by' footer with the provider's logo. */
export function PoweredBy({ className }: { className?: string }) {
  const { provider } = brand;
  return (
    <footer
      className={classNames(
        'text-caption text-ink-quiet flex flex-wrap items-center justify-center gap-1.5 py-6',
        className,
      )}
    >
      <span>{m.common_powered_by()}</span>
      <span className="text-ink inline-flex items-center gap-1.5 font-semibold">
        <MarkGlyph mark={provider.logo} className="size-4" label={provider.name} />
        <span aria-hidden="true">{provider.name}</span>
      </span>
    </footer>
  );
}
