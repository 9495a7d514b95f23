/** `npm run icons -w packages/brand`: draws the app's icons from the brand's mark. Commit the results. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { brand } from './src/brand.ts';
import { ICON_FILES } from './src/icon-files.ts';
import { iconSvg } from './src/icon-svg.ts';

const OUT_DIR = join(import.meta.dirname, 'icons');

mkdirSync(OUT_DIR, { recursive: true });
for (const { name, shape, sidePx } of ICON_FILES) {
  await sharp(Buffer.from(iconSvg(brand, shape)), { density: 600 })
    .resize(sidePx, sidePx)
    .png({ palette: true, compressionLevel: 9 })
    .toFile(join(OUT_DIR, name));
}
writeFileSync(1, `${ICON_FILES.length} icons drawn\n`);
