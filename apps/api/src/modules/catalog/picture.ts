import {
  PICTURE_FORMATS,
  PICTURE_WIDTHS,
  pictureUrl,
  type PictureFormat,
} from '@athos/contract/pictures';
import type { Picture } from '@athos/contract/schemas/catalog';

/** The width that stands where a single address is asked for: twice the width of a card on a phone. */
const SINGLE_WIDTH = 640;

export interface StoredPicture {
  readonly id: string;
  /** Of the picture as it was handed in, in px. */
  readonly width: number;
  readonly height: number;
  readonly formats: readonly PictureFormat[];
}

/** Every picture has a file of each width and format; a narrower picture is in it as it is. */
export const pictureFile = (pictureId: string, width: number, format: PictureFormat): string =>
  `${pictureId}/${width}.${format}`;

/** The picture as it was handed in: what every further format is made from, so that none is made from another. */
export const originalFile = (pictureId: string): string => `${pictureId}/original`;

/** Where a picture is shown that has one address. It is there for every picture. */
export const singleUrl = (pictureId: string): string => pictureUrl(pictureId, SINGLE_WIDTH, 'webp');

/** On the wire: the widths worth choosing from, up to the first that shows all of the picture; the smallest format first. */
export function presentPicture({ id, width, height, formats }: StoredPicture): Picture {
  const enough = PICTURE_WIDTHS.find((candidate) => candidate >= width) ?? Infinity;
  return {
    id,
    width,
    height,
    widths: PICTURE_WIDTHS.filter((candidate) => candidate <= enough),
    formats: PICTURE_FORMATS.filter((format) => formats.includes(format)),
  };
}
