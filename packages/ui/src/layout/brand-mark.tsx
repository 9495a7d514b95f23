import { brand } from '@athos/brand/brand';
import type { Mark } from '@athos/brand/types';
import { classNames } from '../primitives/class-names.ts';

/** A one-colour mark of the brand in the current text colour. Decorative unless it has a label. */
export function MarkGlyph(props: { mark: Mark; className?: string; label?: string }) {
  const { mark, className, label } = props;
  const side = mark.viewBoxSide;
  return (
    <svg
      viewBox={`0 0 ${side} ${side}`}
      className={className}
      fill="currentColor"
      fillRule="evenodd"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {mark.paths.map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );
}

/** The brand's mark. */
export function BrandMark(props: { className?: string; label?: string }) {
  return <MarkGlyph mark={brand.logo} {...props} />;
}

/** Mark and name, for the signed-out screens. */
export function Wordmark({ className }: { className?: string }) {
  return (
    <span className={classNames('inline-flex items-center gap-2', className)}>
      <BrandMark className="text-accent size-8" />
      <span className="font-display text-title font-bold tracking-tight">{brand.name}</span>
    </span>
  );
}
