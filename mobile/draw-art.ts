/**
 * `npm run draw -w mobile`: draws the icons and splash screens of both apps, in all sizes, from the brand's mark. Run it after
 * a change in `packages/brand` and commit what it writes.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { brand } from '@athos/brand/brand';
import sharp from 'sharp';
import { artFiles, type ArtFile } from './art/art-files.ts';

const { dark } = brand.colours;

type Shape = ArtFile['shape'];

/** The background of the mark: none for the layer of an adaptive icon, a disc for a round icon. */
function groundOf(shape: Shape, width: number, height: number): string {
  switch (shape) {
    case 'layer':
      return '';
    case 'disc':
      return `<circle cx="${width / 2}" cy="${height / 2}" r="${width / 2}" fill="${dark.ground}"/>`;
    case 'rounded':
      return `<rect width="${width}" height="${height}" rx="${width / 5}" fill="${dark.ground}"/>`;
    case 'full':
      return `<rect width="${width}" height="${height}" fill="${dark.ground}"/>`;
  }
}

function svgOf({ width, height, shape, markPart }: ArtFile): string {
  const { viewBoxSide, paths } = brand.logo;
  const markSide = Math.min(width, height) * markPart;
  const marks = paths.map((path) => `<path d="${path}"/>`).join('');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    groundOf(shape, width, height) +
    `<g transform="translate(${(width - markSide) / 2} ${(height - markSide) / 2}) scale(${markSide / viewBoxSide})"` +
    ` fill="${dark.accent}" fill-rule="evenodd">${marks}</g></svg>`
  );
}

async function draw(file: ArtFile): Promise<void> {
  const picture = sharp(Buffer.from(svgOf(file)));
  // The App Store refuses icons with transparency, and splash screens do not need it.
  const flat = file.shape === 'full' ? picture.flatten({ background: dark.ground }) : picture;
  const path = join(import.meta.dirname, file.path);
  await mkdir(dirname(path), { recursive: true });
  await flat.png({ compressionLevel: 9, effort: 10 }).toFile(path);
}

for (const file of artFiles) await draw(file);

/** The background colour of Android's adaptive icon and splash screen. */
await writeFile(
  join(import.meta.dirname, 'android/app/src/main/res/values/colors.xml'),
  `<?xml version="1.0" encoding="utf-8"?>
<resources>
    <color name="ic_launcher_background">${dark.ground}</color>
    <color name="splash_background">${dark.ground}</color>
</resources>
`,
);
console.log(`${artFiles.length} pictures drawn.`);
