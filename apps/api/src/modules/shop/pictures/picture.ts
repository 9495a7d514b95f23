import type { PictureFormat } from '@athos/contract/pictures';

/** Every picture has a file of each width and format; a narrower picture is in it as it is. */
export const pictureFile = (pictureId: string, width: number, format: PictureFormat): string =>
  `${pictureId}/${width}.${format}`;

/** The picture as it was handed in: what every further format is made from, so that none is made from another. */
export const originalFile = (pictureId: string): string => `${pictureId}/original`;
