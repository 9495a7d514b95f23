/** Every picture by its name. */
import { carsPictures } from './cars-pictures.ts';
import { drinksPictures } from './drinks-pictures.ts';
import { musicPictures } from './music-pictures.ts';
import { paletteOf, type Pictures } from './picture.ts';
import { createCanvas, randomFrom } from './svg.ts';
import { thingsPictures } from './things-pictures.ts';

const pictures: Pictures = {
  ...drinksPictures,
  ...musicPictures,
  ...carsPictures,
  ...thingsPictures,
};

export const pictureNames = (): readonly string[] => Object.keys(pictures);

/** Deterministic: a name always gives the same SVG. Throws for an unknown name. */
export function drawSvg(name: string): string {
  const picture = pictures[name];
  if (picture === undefined) throw new Error(`nobody has drawn ${name}`);
  return picture.draw(createCanvas(paletteOf(picture), randomFrom(name)));
}
