/** Colours that are only known at run time, such as a tier's. */

/** `#rgb` or `#rrggbb` as three channels from 0 to 255; a medium grey for anything else. */
export function channelsOf(colour: string): [number, number, number] {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(colour);
  const long = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(colour);
  const [, red, green, blue] = short ?? long ?? [];
  const channel = (digits: string | undefined) =>
    digits === undefined ? 119 : parseInt(digits.length === 1 ? digits + digits : digits, 16);
  return [channel(red), channel(green), channel(blue)];
}

/** Relative luminance of WCAG 2.2, 0 to 1. */
function luminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio of WCAG 2.2, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}

/** Whether dark text has more contrast than light text on this background. */
export const wantsDarkInk = (ground: string): boolean =>
  contrast(ground, '#000000') >= contrast(ground, '#ffffff');

/** WCAG 2.2 AA for text. */
const TEXT_CONTRAST_MIN = 4.5;

/** Whether the better of two inks is readable on this background. On some mid greys neither is. */
export const isReadableGround = (
  ground: string,
  { ink, paper }: { readonly ink: string; readonly paper: string },
): boolean => contrast(ground, wantsDarkInk(ground) ? ink : paper) >= TEXT_CONTRAST_MIN;
