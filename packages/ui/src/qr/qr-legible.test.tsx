import { QR_VERSION, signedQrText } from '@athos/domain/qr-payload';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { renderToStaticMarkup } from 'react-dom/server';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { QrCode } from './qr-code.tsx';

const BRONZE = '#bd7d47';
const PANEL_PX = 324;

const d = { a: '0192aaaa-0000-7000-8000-000000000001', t: 1_763_700_000_000, v: QR_VERSION };
/** An Ed25519 signature in base64url has 86 characters. */
const VALUE = signedQrText({ t: 'tier', d }, 'Ab3_'.repeat(21) + 'Ab');

beforeAll(async () => {
  const wasm = readFileSync(
    createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'),
  );
  await prepareZXingModule({
    overrides: { wasmBinary: new Uint8Array(wasm).buffer },
    fireImmediately: true,
  });
});

/** The code on a dim screen as a camera sees it: `codePx` wide, out of focus and noisy. */
async function photograph(colour: string, codePx: number): Promise<ImageData> {
  const markup = renderToStaticMarkup(<QrCode value={VALUE} colour={colour} />);
  const [svg = ''] = /<svg.*?<\/svg>/s.exec(markup) ?? [];
  const code = await sharp(
    Buffer.from(svg.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"')),
    {
      density: 288,
    },
  )
    .resize(780, 780, { kernel: 'nearest' })
    .toBuffer();
  const mark = Buffer.from(
    '<svg width="144" height="144"><rect width="144" height="144" fill="#fff"/></svg>',
  );
  const panel = await sharp({
    create: { width: PANEL_PX * 3, height: PANEL_PX * 3, channels: 3, background: '#fff' },
  })
    .composite([
      { input: code, left: 96, top: 96 },
      { input: mark, left: 414, top: 414 },
    ])
    .png()
    .toBuffer();
  const { data, info } = await sharp(panel)
    .resize(Math.round((codePx * PANEL_PX) / 260))
    .blur(1.8)
    .linear(0.25, 10)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = new Uint8ClampedArray(info.width * info.height * 4);
  let seed = 7;
  const noise = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return (seed / 0x7fffffff - 0.5) * 20;
  };
  for (let at = 0; at < pixels.length; at += 1) {
    pixels[at] = at % 4 === 3 ? 255 : (data[((at / 4) | 0) * 3 + (at % 4)] ?? 0) + noise();
  }
  return { data: pixels, width: info.width, height: info.height, colorSpace: 'srgb' };
}

it.each(['#000000', BRONZE])(
  "reads a tier's code in %s from a dim, blurred picture in which it is 230 px wide",
  async (colour) => {
    const codes = await readBarcodes(await photograph(colour, 230), { formats: ['QRCode'] });
    expect(codes.map(({ text }) => text)).toEqual([VALUE]);
  },
);
