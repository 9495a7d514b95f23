/** Parts of the catalogue that both the wallet and the scanner show. */
import { z } from 'zod';
import { PICTURE_FORMATS } from './pictures.ts';
import { unitsText } from './values.ts';

/** A stored picture, at `pictureUrl(id, width, format)` for each of its widths and formats. */
export const picture = z
  .object({
    id: z.string(),
    /** Size of the original in px. The screen reserves its aspect ratio until the picture arrives. */
    width: z.int(),
    height: z.int(),
    widths: z.array(z.int()),
    formats: z.array(z.enum(PICTURE_FORMATS)),
    /** For people who cannot see the picture; empty if nobody has described it. */
    alternative_text: z.string(),
    /** The point that stays visible when the picture is cropped, in per cent of its width and height. */
    crop_x: z.int(),
    crop_y: z.int(),
  })
  .meta({ id: 'Picture' });
export type Picture = z.infer<typeof picture>;

export const tier = z
  .object({
    id: z.int(),
    title: z.string(),
    /** The threshold, in micro-units of ATH. */
    amount: unitsText,
    color: z.string(),
    note: z.string(),
  })
  .meta({ id: 'Tier' });
