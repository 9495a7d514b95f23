/** Reads a picture file as pixels for the decoder. Bytes and pixels are limited, because the file can be anything. */

/** Larger than any phone's photo. */
const FILE_BYTES_MAX = 20_000_000;
/** The largest phone sensors have 50 megapixels; unpacked that is 200 MB. */
const PIXELS_MAX = 51_000_000;
/** The longest sides to search, smallest first: most codes fill much of their photo, and the search blocks the page. */
const SEARCH_SIDES_PX = [1600, 3200];

export type ReadImage =
  /**
   * The same picture in each size, smallest first. The larger one is included only if the picture has that many pixels.
   */
  | { readonly kind: 'image'; readonly pictures: Iterable<ImageData> }
  | { readonly kind: 'too_large' | 'unreadable' };

/** Resolves when size and format are known. The browser decodes the pixels only when they are drawn. */
function loadImage(url: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.addEventListener('load', () => resolve(image));
    image.addEventListener('error', () => reject(new Error('the file is no image')));
    image.src = url;
  });
}

function draw(image: HTMLImageElement, sideMaxPx: number): ImageData | undefined {
  const { naturalWidth, naturalHeight } = image;
  const scale = Math.min(1, sideMaxPx / Math.max(naturalWidth, naturalHeight));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(naturalWidth * scale));
  canvas.height = Math.max(1, Math.round(naturalHeight * scale));
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return undefined;
  // A code saved with a transparent background would otherwise be black on black.
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

function* drawFiner(image: HTMLImageElement): Generator<ImageData> {
  const sidePx = Math.max(image.naturalWidth, image.naturalHeight);
  for (const [index, searchPx] of SEARCH_SIDES_PX.entries()) {
    const isNoFiner = index > 0 && sidePx <= (SEARCH_SIDES_PX[index - 1] ?? 0);
    const picture = isNoFiner ? undefined : draw(image, searchPx);
    if (picture !== undefined) yield picture;
  }
}

/** Checks the limits before the browser decodes any pixel. */
export async function readImageFile(file: File): Promise<ReadImage> {
  if (file.size > FILE_BYTES_MAX) return { kind: 'too_large' };
  if (!file.type.startsWith('image/')) return { kind: 'unreadable' };
  const url = URL.createObjectURL(file);
  try {
    const image = await loadImage(url);
    const pixelCount = image.naturalWidth * image.naturalHeight;
    if (pixelCount === 0) return { kind: 'unreadable' };
    if (pixelCount > PIXELS_MAX) return { kind: 'too_large' };
    return { kind: 'image', pictures: drawFiner(image) };
  } catch {
    return { kind: 'unreadable' };
  } finally {
    URL.revokeObjectURL(url);
  }
}
