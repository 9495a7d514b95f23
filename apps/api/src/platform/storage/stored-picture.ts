/** A stored picture as rows tell of it, and as the wire does. */
import {
  PICTURE_FORMATS,
  PICTURE_WIDTHS,
  pictureUrl,
  type PictureFormat,
} from '@athos/contract/pictures';
import type { Picture } from '@athos/contract/shared/goods';

/** The width that stands where a single address is asked for: twice the width of a card on a phone. */
const SINGLE_WIDTH = 640;

/** What a row that shows a picture is joined with; all null where it shows none. */
export interface PictureColumns {
  readonly picture_id: string | null;
  /** Of the picture as it was handed in, in px. */
  readonly picture_width: number | null;
  readonly picture_height: number | null;
  readonly picture_formats: readonly PictureFormat[] | null;
}

/** The widths worth choosing from, up to the first that shows all of the picture. */
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

/** A stored picture's address goes before a text that somebody wrote. */
export const imageOf = (
  { picture_id: id }: Pick<PictureColumns, 'picture_id'>,
  text: string,
): string => (id === null ? text : pictureUrl(id, SINGLE_WIDTH, 'webp'));
