/** How a stored picture appears in rows and in responses. */
import {
  PICTURE_FORMATS,
  PICTURE_WIDTHS,
  pictureUrl,
  type PictureFormat,
} from '@athos/contract/pictures';
import type { Picture } from '@athos/contract/goods';

/** The width for clients that take only one URL: twice the width of a card on a phone. */
const SINGLE_WIDTH = 640;

/** The centre of a picture, in per cent. */
const CENTRE = 50;

/** The columns of a joined picture, all null if there is none. */
export interface PictureColumns {
  readonly picture_id: string | null;
  /** Width and height of the original picture, in px. */
  readonly picture_width: number | null;
  readonly picture_height: number | null;
  readonly picture_formats: readonly PictureFormat[] | null;
  readonly picture_alternative_text: string | null;
  readonly picture_crop_x: number | null;
  readonly picture_crop_y: number | null;
}

/** Presents the useful widths, up to the first that is at least as wide as the picture. */
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
    alternative_text: row.picture_alternative_text ?? '',
    crop_x: row.picture_crop_x ?? CENTRE,
    crop_y: row.picture_crop_y ?? CENTRE,
  };
}

/** The image URL of a row. A stored picture takes precedence over a URL that was typed in. */
export const imageOf = (
  { picture_id: id }: Pick<PictureColumns, 'picture_id'>,
  text: string,
): string => (id === null ? text : pictureUrl(id, SINGLE_WIDTH, 'webp'));
