/**
 * The decoder (spec 9: QR codes only). It is loaded when a scanner opens, with its WebAssembly from the app's own
 * origin. By default the library would fetch that from a public CDN.
 */

/** Resolves to the text of a QR code in the picture; `undefined` if there is none. */
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

/** Loaded once for all scanners. If it throws, the next call tries again. */
export async function loadDecoder(): Promise<DecodeQr> {
  loading ??= load();
  try {
    return await loading;
  } catch (cause) {
    loading = undefined;
    throw new Error('the QR decoder could not be loaded', { cause });
  }
}
