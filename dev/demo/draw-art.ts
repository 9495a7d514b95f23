/**
 * `npm run draw -w dev/demo`: draws the demo catalogue's pictures from `art/` as WebP, in the widths that screens
 * show. Commit its output. `-- NAME …` draws only the named pictures; `-- --sheet FILE` draws all of them into one
 * PNG.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { PICTURE_WIDTHS } from '@athos/contract/pictures';
import { drawSvg, pictureNames } from './art/scenes.ts';

const OUT_DIR = join(import.meta.dirname, 'pictures');
const QUALITY = 80;
const SHEET_COLUMNS = 6;
const SHEET_CELL = [320, 200] as const;

async function drawPicture(name: string): Promise<void> {
  const whole = await sharp(Buffer.from(drawSvg(name)))
    .png()
    .toBuffer();
  for (const width of PICTURE_WIDTHS) {
    const file = join(OUT_DIR, `${name}-${width}.webp`);
    await sharp(whole).resize({ width }).webp({ quality: QUALITY, effort: 6 }).toFile(file);
  }
}

async function drawSheet(names: readonly string[], file: string): Promise<void> {
  const [width, height] = SHEET_CELL;
  const cells = await Promise.all(
    names.map(async (name, index) => ({
      input: await sharp(Buffer.from(drawSvg(name)))
        .resize({ width, height })
        .png()
        .toBuffer(),
      left: (index % SHEET_COLUMNS) * width,
      top: Math.floor(index / SHEET_COLUMNS) * height,
    })),
  );
  const rowCount = Math.ceil(names.length / SHEET_COLUMNS);
  await sharp({
    create: {
      width: SHEET_COLUMNS * width,
      height: rowCount * height,
      channels: 3,
      background: '#000',
    },
  })
    .composite(cells)
    .png()
    .toFile(file);
}

const { values, positionals } = parseArgs({
  options: { sheet: { type: 'string' } },
  allowPositionals: true,
});
const names = positionals.length > 0 ? positionals : pictureNames();
if (values.sheet !== undefined) await drawSheet(names, values.sheet);
else {
  mkdirSync(OUT_DIR, { recursive: true });
  if (positionals.length === 0) {
    for (const file of readdirSync(OUT_DIR)) rmSync(join(OUT_DIR, file));
  }
  for (const name of names) await drawPicture(name);
  writeFileSync(1, `${names.length} pictures drawn\n`);
}
