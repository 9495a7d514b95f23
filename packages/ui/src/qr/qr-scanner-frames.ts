/** Pictures out of a running camera, ten a second, and the codes in them (spec 9). */
import type { DecodeQr } from './qr-scanner-decoder.ts';

const FRAMES_PER_SECOND = 10;
/** Spec 9: the scan box is 320 by 320 of the picture as it is shown. */
const SCAN_BOX_PX = 320;
/** A code of 40 items has 4 pixels a module when it fills half of this; more only takes time. */
const FRAME_SIDE_MAX_PX = 640;
/** A code that stays in view counts once; it counts anew after it was away this long. */
const SAME_CODE_MS = 2000;

/**
 * The part of a video that lies under the scan box: the video fills a square of `shownPx`, and the box is in its middle.
 */
function scanBoxOf(
  video: { readonly videoWidth: number; readonly videoHeight: number },
  shownPx: number,
): { x: number; y: number; side: number } {
  const square = Math.min(video.videoWidth, video.videoHeight);
  const side = square * (shownPx > SCAN_BOX_PX ? SCAN_BOX_PX / shownPx : 1);
  return { x: (video.videoWidth - side) / 2, y: (video.videoHeight - side) / 2, side };
}

/** Draws the box of the current picture; `undefined` before there is a picture. */
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

/** Says of each text whether it is news. */
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

/** Reads until the returned function is called. A picture that takes longer than its time makes the next ones fall out. */
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
