/** Addresses of stored pictures. Importing this file does not load zod. */

/** Widths in px in which a picture is stored, as far as its original is that wide. */
export const PICTURE_WIDTHS = [320, 640, 1280] as const;
export const PICTURE_FORMATS = ['webp', 'avif'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

export const PICTURE_PREFIX = '/media';

/** The address depends on the content, so what it serves never changes. */
export const pictureUrl = (pictureId: string, width: number, format: PictureFormat): string =>
  `${PICTURE_PREFIX}/${pictureId}/${width}.${format}`;

/** One `<source>` of a `<picture>`: the same picture in every width, in one format. */
export interface PictureSource {
  readonly type: `image/${PictureFormat}`;
  readonly srcSet: string;
}

/** Attributes of an `<img>` and its `<source>` elements. */
export interface PictureAddresses {
  readonly sources: readonly PictureSource[];
  /** For browsers that support none of the sources; empty if there is no picture. */
  readonly src: string;
  /** Absent if nobody has described the picture. */
  readonly alt?: string;
  /** The point that stays visible when the picture is cropped, as a CSS `object-position`; absent for the centre. */
  readonly position?: string;
}

interface StoredPicture {
  readonly id: string;
  readonly widths: readonly number[];
  readonly formats: readonly PictureFormat[];
  /** Absent in responses that an app stored before crop points existed. */
  readonly alternative_text?: string;
  readonly crop_x?: number;
  readonly crop_y?: number;
}

/** In per cent. */
const CENTRE = 50;

/** Smallest first, because a browser uses the first format that it supports. */
const FORMATS_BY_SIZE: readonly PictureFormat[] = ['avif', 'webp'];

/**
 * Returns the addresses of a stored picture, or the plain address `url` if there is none. `origin` is the server's, for
 * a page that another origin serves.
 */
export function pictureAddresses(
  picture: StoredPicture | null | undefined,
  url: string,
  origin = '',
): PictureAddresses {
  if (picture === null || picture === undefined) return { sources: [], src: url };
  const { id, widths, formats, alternative_text: alt = '' } = picture;
  const { crop_x: x = CENTRE, crop_y: y = CENTRE } = picture;
  const srcSetOf = (format: PictureFormat): string =>
    widths.map((width) => `${origin}${pictureUrl(id, width, format)} ${width}w`).join(', ');
  const middle = widths[Math.floor(widths.length / 2)];
  return {
    sources: FORMATS_BY_SIZE.filter((format) => formats.includes(format)).map((format) => ({
      type: `image/${format}` as const,
      srcSet: srcSetOf(format),
    })),
    src: middle === undefined ? url : origin + pictureUrl(id, middle, 'webp'),
    ...(alt !== '' && { alt }),
    ...((x !== CENTRE || y !== CENTRE) && { position: `${x}% ${y}%` }),
  };
}
