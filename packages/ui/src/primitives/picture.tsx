import { useState } from 'react';
import { BrandMark } from '../layout/brand-mark.tsx';
import { classNames } from './class-names.ts';

export type PictureRatio = 'square' | 'card' | 'wide' | 'banner';

export interface PictureProps {
  /** As `pictureAddresses` of the contract gives them; the browser takes the first format that it reads. */
  sources: readonly { readonly type: string; readonly srcSet: string }[];
  /** Empty where there is no picture: its place stays, with the brand's mark in it. */
  src: string;
  /** Empty where the words beside it say as much. */
  alt?: string;
  /** How wide it is shown, in the terms of the `sizes` attribute: `(min-width: 56.25rem) 15rem, 50vw`. */
  sizes: string;
  ratio?: PictureRatio;
  /** In sight when the screen opens: fetched at once and before others. All others wait until they come near. */
  isFirst?: boolean;
  className?: string;
}

const RATIOS: Record<PictureRatio, string> = {
  square: 'aspect-square',
  card: 'aspect-4/3',
  wide: 'aspect-16/9',
  banner: 'aspect-5/2',
};

/** React holds a whole transition back, up to 800 ms, for a picture that nobody listens to. The words need not wait. */
const showAtOnce = (): void => undefined;

/** A picture in a place of fixed shape: nothing moves when it comes, or when it does not. */
export function Picture(props: PictureProps) {
  const { sources, src, alt = '', sizes, ratio = 'card', isFirst = false, className } = props;
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
