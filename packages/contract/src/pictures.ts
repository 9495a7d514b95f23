/** Where a stored picture is found. Without zod, so that the browser may import it at run time. */

/** Widths in px that every stored picture has; a narrower original is not made wider. */
export const PICTURE_WIDTHS = [320, 640, 1280] as const;
export const PICTURE_FORMATS = ['webp', 'avif'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

export const PICTURE_PREFIX = '/media';

/** Content-addressed: what is found there never changes. */
export const pictureUrl = (pictureId: string, width: number, format: PictureFormat): string =>
  `${PICTURE_PREFIX}/${pictureId}/${width}.${format}`;

/** One `<source>` of a `<picture>`: the same picture in every width of one format. */
export interface PictureSource {
  readonly type: `image/${PictureFormat}`;
  readonly srcSet: string;
}

/** What an `<img>` and its `<source>`s show. */
export interface PictureAddresses {
  readonly sources: readonly PictureSource[];
  /** For a browser that takes none of the sources; empty where there is no picture at all. */
  readonly src: string;
}

interface StoredPicture {
  readonly id: string;
  readonly widths: readonly number[];
  readonly formats: readonly PictureFormat[];
}

/** The smaller format first: a browser takes the first one that it reads. */
const FORMATS_BY_SIZE: readonly PictureFormat[] = ['avif', 'webp'];

/**
 * The addresses of a stored picture, or of the plain address `url` where there is none. `origin` is the server's, for a
 * page that comes from elsewhere.
 */
export function pictureAddresses(
  picture: StoredPicture | null | undefined,
  url: string,
  origin = '',
): PictureAddresses {
  if (picture === null || picture === undefined) return { sources: [], src: url };
  const { id, widths, formats } = picture;
  const srcSetOf = (format: PictureFormat): string =>
    widths.map((width) => `${origin}${pictureUrl(id, width, format)} ${width}w`).join(', ');
  const middle = widths[Math.floor(widths.length / 2)];
  return {
    sources: FORMATS_BY_SIZE.filter((format) => formats.includes(format)).map((format) => ({
      type: `image/${format}` as const,
      srcSet: srcSetOf(format),
    })),
    src: middle === undefined ? url : origin + pictureUrl(id, middle, 'webp'),
  };
}
