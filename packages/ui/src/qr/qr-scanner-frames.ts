/** Captures ten frames a second from a running camera and reads the codes in them (spec 9). */
import type { DecodeQr } from './qr-scanner-decoder.ts';

const FRAMES_PER_SECOND = 10;
/** Spec 9: the scan box is 320 by 320 px of the displayed picture. */
const SCAN_BOX_PX = 320;
/** A code of 40 items that fills half of this has 4 pixels per module. A higher resolution would only be slower. */
const FRAME_SIDE_MAX_PX = 640;
/** A code that stays in view is reported once, and again only after it was out of view for this long. */
const SAME_CODE_MS = 2000;

/** The part of a video below the scan box. The video fills a square of `shownPx`, with the box in the middle. */
function scanBoxOf(
  video: { readonly videoWidth: number; readonly videoHeight: number },
  shownPx: number,
): { x: number; y: number; side: number } {
  const square = Math.min(video.videoWidth, video.videoHeight);
  const side = square * (shownPx > SCAN_BOX_PX ? SCAN_BOX_PX / shownPx : 1);
  return { x: (video.videoWidth - side) / 2, y: (video.videoHeight - side) / 2, side };
}

/** Captures the scan box of the current frame; `undefined` before the first frame. */
function takeFrame(video: HTMLVideoElement, canvas: HTMLCanvasElement): ImageData | undefined {
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return undefined;
  const { x, y, side } = scanBoxOf(video, video.clientWidth);
  const size = Math.round(Math.min(side, FRAME_SIDE_MAX_PX));
  if (size === 0) return undefined;
  if (canvas.width !== size) {
    canvas.width = size;
    canvas.height = size;
  }
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return undefined;
  context.drawImage(video, x, y, side, side, 0, 0, size, size);
  return context.getImageData(0, 0, size, size);
}

/** Returns a function that says whether a text is new. */
export function createRepeatFilter(): (text: string) => boolean {
  let last: { readonly text: string; seenAtMs: number } | undefined;
  return (text) => {
    const nowMs = performance.now();
    if (last?.text === text && nowMs - last.seenAtMs < SAME_CODE_MS) {
      last.seenAtMs = nowMs;
      return false;
    }
    last = { text, seenAtMs: nowMs };
    return true;
  };
}

export interface FrameReader {
  readonly video: HTMLVideoElement;
  readonly decode: DecodeQr;
  readonly onText: (text: string) => void;
  readonly onFailure: () => void;
}

/**
 * Reads frames until the returned function is called. Frames are skipped while decoding takes longer than the interval.
 */
export function readFrames({ video, decode, onText, onFailure }: FrameReader): () => void {
  const canvas = document.createElement('canvas');
  let isBusy = false;
  let isStopped = false;

  const stop = (): void => {
    isStopped = true;
    clearInterval(timer);
  };
  async function readOne(): Promise<void> {
    const frame = takeFrame(video, canvas);
    if (frame === undefined) return;
    const text = await decode(frame);
    if (!isStopped && text !== undefined) onText(text);
  }
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    readOne()
      .catch(() => {
        if (isStopped) return;
        stop();
        onFailure();
      })
      .finally(() => {
        isBusy = false;
      });
  }, 1000 / FRAMES_PER_SECOND);
  return stop;
}
