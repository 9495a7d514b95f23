/** A stored picture in rows and on the wire. */
import {
  PICTURE_FORMATS,
  PICTURE_WIDTHS,
  pictureUrl,
  type PictureFormat,
} from '@athos/contract/pictures';
import type { Picture } from '@athos/contract/shared/goods';

/** The width to use if only one URL can be given: twice the width of a card on a phone. */
const SINGLE_WIDTH = 640;

/** Columns of the joined picture; all null if there is none. */
export interface PictureColumns {
  readonly picture_id: string | null;
  /** Of the original picture, in px. */
  readonly picture_width: number | null;
  readonly picture_height: number | null;
  readonly picture_formats: readonly PictureFormat[] | null;
}

/** The useful widths, up to the first that is at least as wide as the picture. */
export function presentPictureOf(row: PictureColumns): Picture | null {
  const { picture_id: id, picture_width: width, picture_height: height } = row;
  const { picture_formats: formats } = row;
  if (id === null || width === null || height === null || formats === null) return null;
  const enough = PICTURE_WIDTHS.find((candidate) => candidate >= width) ?? Infinity;
  return {
    id,
    width,
    height,
    widths: PICTURE_WIDTHS.filter((candidate) => candidate <= enough),
    formats: PICTURE_FORMATS.filter((format) => formats.includes(format)),
  };
}

/** The URL of a stored picture takes precedence over one that was typed in. */
export const imageOf = (
  { picture_id: id }: Pick<PictureColumns, 'picture_id'>,
  text: string,
): string => (id === null ? text : pictureUrl(id, SINGLE_WIDTH, 'webp'));
