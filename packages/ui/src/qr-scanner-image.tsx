/** A picture file as pixels for the decoder, bounded: a file of the user's choice may be anything. */

/** More than any phone's photo has. */
const FILE_BYTES_MAX = 20_000_000;
/** The largest phone sensors have 50 megapixels; unpacked that is 200 MB. */
const PIXELS_MAX = 51_000_000;
/** Longest side that is searched: codes of a photo are large in it, and the search blocks the page. */
const SIDE_MAX_PX = 1600;

export type ReadImage =
  | { readonly kind: 'pixels'; readonly pixels: ImageData }
  | { readonly kind: 'too_large' | 'unreadable' };

/** Resolves when size and format are known; the browser unpacks the pixels no earlier than they are drawn. */
function loadImage(url: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.addEventListener('load', () => resolve(image));
    image.addEventListener('error', () => reject(new Error('the file is no image')));
    image.src = url;
  });
}

function draw(image: HTMLImageElement): ImageData | undefined {
  const { naturalWidth, naturalHeight } = image;
  const scale = Math.min(1, SIDE_MAX_PX / Math.max(naturalWidth, naturalHeight));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(naturalWidth * scale));
  canvas.height = Math.max(1, Math.round(naturalHeight * scale));
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return undefined;
  // Codes saved without a ground are black on nothing.
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

export async function readImageFile(file: File): Promise<ReadImage> {
  if (file.size > FILE_BYTES_MAX) return { kind: 'too_large' };
  if (!file.type.startsWith('image/')) return { kind: 'unreadable' };
  const url = URL.createObjectURL(file);
  try {
    const image = await loadImage(url);
    const pixelCount = image.naturalWidth * image.naturalHeight;
    if (pixelCount === 0) return { kind: 'unreadable' };
    if (pixelCount > PIXELS_MAX) return { kind: 'too_large' };
    const pixels = draw(image);
    return pixels === undefined ? { kind: 'unreadable' } : { kind: 'pixels', pixels };
  } catch {
    return { kind: 'unreadable' };
  } finally {
    URL.revokeObjectURL(url);
  }
}
