/** Draws the app's icons of the brand's one mark. Run it after a change of mark or colours and commit what it writes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { brand } from '@athos/brand/brand';
import { ICON_FILES } from '@athos/brand/icon-files';
import { iconSvg } from '@athos/brand/icon-svg';

const OUT_DIR = join(import.meta.dirname, '../packages/brand/icons');

mkdirSync(OUT_DIR, { recursive: true });
for (const { name, shape, sidePx } of ICON_FILES) {
  await sharp(Buffer.from(iconSvg(brand, shape)), { density: 600 })
    .resize(sidePx, sidePx)
    .png({ palette: true, compressionLevel: 9 })
    .toFile(join(OUT_DIR, name));
}
writeFileSync(1, `${ICON_FILES.length} icons drawn\n`);
