/** What both the wallet and the scanner show of the catalogue. */
import { z } from 'zod';
import { PICTURE_FORMATS } from '../pictures.ts';
import { unitsText } from './values.ts';

/** A stored picture: `pictureUrl(id, width, format)` for each of its widths and formats. */
export const picture = z
  .object({
    id: z.string(),
    /** Of the original, in px: the screen reserves this shape before the picture arrives. */
    width: z.int(),
    height: z.int(),
    widths: z.array(z.int()),
    formats: z.array(z.enum(PICTURE_FORMATS)),
  })
  .meta({ id: 'Picture' });
export type Picture = z.infer<typeof picture>;

export const tier = z
  .object({
    id: z.int(),
    title: z.string(),
    /** The threshold: ATH in micro-units. */
    amount: unitsText,
    color: z.string(),
    note: z.string(),
  })
  .meta({ id: 'Tier' });
