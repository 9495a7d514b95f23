/** Colours of codes. */
import { channelsOf, contrast } from '@athos/domain/colour';

const hex = (channel: number): string => Math.round(channel).toString(16).padStart(2, '0');

/**
 * From this contrast on, dim and blurred pictures of a code can be read from as far away as of a black one. At 4.5, the contrast of text,
 * the code in the picture has to be a sixth larger.
 */
const SCAN_CONTRAST_MIN = 9;

/** The colour, darkened without changing its hue until a camera can read it on white (D-117). */
export function darkEnoughToScan(colour: string): string {
  const channels = channelsOf(colour);
  for (let share = 1; share > 0; share -= 0.02) {
    const darker = `#${channels.map((channel) => hex(channel * share)).join('')}`;
    if (contrast(darker, '#ffffff') >= SCAN_CONTRAST_MIN) return darker;
  }
  return '#000000';
}
