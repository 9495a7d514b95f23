import { brand } from '@athos/brand/brand';
import type { TokenBrand } from '@athos/brand/types';
import { MarkGlyph } from '../layout/brand-mark.tsx';

/** The brand's data about a token, or about its first token if the code is unknown. */
export const tokenBrand = (code: string): TokenBrand =>
  brand.tokens.find((token) => token.code === code) ?? brand.tokens[0];

/** A token's disc of 44 px. Decorative, because the symbol is written beside it. */
export function TokenIcon(props: { code: string; isSmall?: boolean }) {
  const token = tokenBrand(props.code);
  return (
    <span
      aria-hidden="true"
      style={{ backgroundColor: token.discColour, color: token.glyphColour }}
      className={`rounded-pill flex shrink-0 items-center justify-center ${props.isSmall ? 'size-7' : 'size-11'}`}
    >
      <MarkGlyph mark={token.icon} className="size-3/5" />
    </span>
  );
}
