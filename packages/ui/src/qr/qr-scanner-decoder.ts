/**
 * The decoding library (spec 9: QR codes only). It comes when a scanner opens, and its WebAssembly from our own origin:
 * left to itself the library asks a public network of copies.
 */

/** The text of a QR code in the picture; `undefined` where there is none. */
export type DecodeQr = (picture: ImageData) => Promise<string | undefined>;

let loading: Promise<DecodeQr> | undefined;

async function load(): Promise<DecodeQr> {
  const [{ BarcodeDetector, prepareZXingModule }, { default: wasmUrl }] = await Promise.all([
    import('barcode-detector/ponyfill'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ]);
  await prepareZXingModule({ overrides: { locateFile: () => wasmUrl }, fireImmediately: true });
  const detector = new BarcodeDetector({ formats: ['qr_code'] });
  return async (picture) => {
    const codes = await detector.detect(picture);
    return codes.find(({ format, rawValue }) => format === 'qr_code' && rawValue !== '')?.rawValue;
  };
}

/** Loaded once for all scanners. Throws what the network or WebAssembly throws; the next call then tries anew. */
export async function loadDecoder(): Promise<DecodeQr> {
  loading ??= load();
  try {
    return await loading;
  } catch (cause) {
    loading = undefined;
    throw new Error('the QR decoder could not be loaded', { cause });
  }
}
