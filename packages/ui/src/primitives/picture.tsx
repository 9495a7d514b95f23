import { useState } from 'react';
import { BrandMark } from '../layout/brand-mark.tsx';
import { classNames } from './class-names.ts';

export type PictureRatio = 'square' | 'card' | 'wide' | 'banner';

export interface PictureProps {
  /** From the contract's `pictureAddresses`. The browser uses the first format that it supports. */
  sources: readonly { readonly type: string; readonly srcSet: string }[];
  /** Empty if there is no picture. The brand's mark then takes its place. */
  src: string;
  /** Empty if the text beside it says the same. */
  alt?: string;
  /** The point that stays visible when it is cropped, as a CSS `object-position`. Defaults to the centre. */
  position?: string;
  /** Its displayed width as a `sizes` attribute: `(min-width: 56.25rem) 15rem, 50vw`. */
  sizes: string;
  ratio?: PictureRatio;
  /** Visible when the screen opens: fetched at once, with priority. All others are loaded lazily. */
  isFirst?: boolean;
  className?: string;
}

const RATIOS: Record<PictureRatio, string> = {
  square: 'aspect-square',
  card: 'aspect-4/3',
  wide: 'aspect-16/9',
  banner: 'aspect-5/2',
};

/** React delays a transition by up to 800 ms for an image without a load listener. This listener avoids that delay. */
const showAtOnce = (): void => undefined;

/** A picture in a box of fixed shape, so nothing moves when it loads or fails. */
export function Picture(props: PictureProps) {
  const { sources, src, alt = '', sizes, ratio = 'card', isFirst = false, className } = props;
  const { position } = props;
  const [failedSrc, setFailedSrc] = useState('');
  const isShown = src !== '' && src !== failedSrc;
  return (
    <div
      className={classNames(
        'bg-sunken relative w-full shrink-0 overflow-hidden',
        RATIOS[ratio],
        className,
      )}
    >
      {isShown ? (
        <picture>
          {sources.map(({ type, srcSet }) => (
            <source key={type} type={type} srcSet={srcSet} sizes={sizes} />
          ))}
          <img
            src={src}
            alt={alt}
            loading={isFirst ? 'eager' : 'lazy'}
            fetchPriority={isFirst ? 'high' : 'auto'}
            decoding="async"
            onLoad={showAtOnce}
            onError={() => setFailedSrc(src)}
            className="absolute inset-0 size-full object-cover"
            {...(position !== undefined && { style: { objectPosition: position } })}
          />
        </picture>
      ) : (
        <PictureMissing alt={alt} />
      )}
    </div>
  );
}

function PictureMissing({ alt }: { alt: string }) {
  return (
    <span className="text-ink absolute inset-0 flex items-center justify-center">
      <BrandMark className="h-2/5 max-h-16 opacity-12" {...(alt !== '' && { label: alt })} />
    </span>
  );
}
