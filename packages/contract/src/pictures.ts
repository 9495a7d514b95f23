/** Where a stored picture is found. Without zod, so that the browser may import it at run time. */

/** Widths in px that every stored picture has; a narrower original is not made wider. */
export const PICTURE_WIDTHS = [320, 640, 1280] as const;
export const PICTURE_FORMATS = ['webp', 'avif'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

export const PICTURE_PREFIX = '/media';

/** Content-addressed: what is found there never changes. */
export const pictureUrl = (pictureId: string, width: number, format: PictureFormat): string =>
  `${PICTURE_PREFIX}/${pictureId}/${width}.${format}`;
