/**
 * Cameras, their permission and their pictures, which jsdom lacks. A test file that uses them also needs
 * `vi.mock('barcode-detector/ponyfill', async () => (await import('@athos/ui/test/fake-cameras')).fakeDetector)`.
 */
import { vi } from 'vitest';

export interface FakeCamera {
  readonly id: string;
  readonly label: string;
  readonly torch?: boolean;
  readonly zoom?: { readonly min: number; readonly max: number };
}

export const BACK: FakeCamera = { id: 'back-id', label: 'Back camera' };
export const FRONT: FakeCamera = { id: 'front-id', label: 'Front camera' };

interface SeenCode {
  readonly rawValue: string;
  readonly format: string;
}

/** The decoder's module, which reads the code that the test shows, or fails to load. */
const detector = {
  seen: [] as SeenCode[],
  formats: [] as unknown[],
  decodeCount: 0,
  isBroken: false,
  failsToLoad: false,
};

export const fakeDetector = {
  prepareZXingModule: () =>
    detector.failsToLoad ? Promise.reject(new Error('no such file')) : Promise.resolve(),
  BarcodeDetector: class {
    constructor(options: { formats: unknown[] }) {
      detector.formats = options.formats;
    }
    detect(): Promise<readonly SeenCode[]> {
      detector.decodeCount += 1;
      return detector.isBroken
        ? Promise.reject(new Error('out of memory'))
        : Promise.resolve(detector.seen);
    }
  },
};

export class FakeTrack extends EventTarget {
  readonly kind = 'video';
  readonly applied: unknown[] = [];
  readonly #camera: FakeCamera;
  readyState: MediaStreamTrackState = 'live';

  constructor(camera: FakeCamera) {
    super();
    this.#camera = camera;
  }
  stop(): void {
    this.readyState = 'ended';
  }
  getSettings(): MediaTrackSettings {
    return { deviceId: this.#camera.id };
  }
  getCapabilities(): unknown {
    const { torch, zoom } = this.#camera;
    return { ...(torch !== undefined && { torch }), ...(zoom !== undefined && { zoom }) };
  }
  applyConstraints(constraints: { advanced: unknown[] }): Promise<void> {
    this.applied.push(...constraints.advanced);
    return Promise.resolve();
  }
}

type Permission = PermissionState | 'unknown';

/** The user's response to the permission prompt; `undefined` while it is open. */
type Answer = 'allow' | 'deny' | undefined;

class FakeMediaDevices extends EventTarget {
  readonly requests: MediaTrackConstraints[] = [];
  readonly tracks: FakeTrack[] = [];
  cameras: readonly FakeCamera[];
  failure: string | undefined;
  answer: Answer = 'allow';
  /** Hides names and ids, as Firefox does while no camera runs. */
  hidesIdle = false;
  readonly #waiting: (() => void)[] = [];

  constructor(cameras: readonly FakeCamera[]) {
    super();
    this.cameras = cameras;
  }

  enumerateDevices(): Promise<readonly unknown[]> {
    const isHidden =
      this.hidesIdle && this.tracks.every(({ readyState }) => readyState === 'ended');
    if (isHidden) {
      const isAny = this.cameras.length > 0;
      return Promise.resolve(isAny ? [{ kind: 'videoinput', deviceId: '', label: '' }] : []);
    }
    return Promise.resolve([
      { kind: 'audioinput', deviceId: 'microphone-id', label: 'Microphone' },
      ...this.cameras.map(({ id, label }) => ({ kind: 'videoinput', deviceId: id, label })),
    ]);
  }

  async getUserMedia({ video }: { video: MediaTrackConstraints }): Promise<unknown> {
    this.requests.push(video);
    if (this.answer === undefined) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    if (this.answer === 'deny') throw new DOMException('refused', 'NotAllowedError');
    if (this.failure !== undefined) throw new DOMException('failed', this.failure);
    const track = new FakeTrack(this.#cameraFor(video));
    this.tracks.push(track);
    return { getTracks: () => [track], getVideoTracks: () => [track] };
  }

  /** Responds to the open permission prompt. */
  decide(answer: 'allow' | 'deny'): void {
    this.answer = answer;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #cameraFor({ deviceId }: MediaTrackConstraints): FakeCamera {
    const { exact, ideal } = (deviceId ?? {}) as { exact?: string; ideal?: string };
    const wanted = this.cameras.find(({ id }) => id === (exact ?? ideal));
    if (exact !== undefined && wanted === undefined) {
      throw new DOMException('absent', 'OverconstrainedError');
    }
    const camera = wanted ?? this.cameras[0];
    if (camera === undefined) throw new DOMException('none', 'NotFoundError');
    return camera;
  }
}

class FakePermission extends EventTarget {
  state: PermissionState;
  constructor(state: PermissionState) {
    super();
    this.state = state;
  }
}

export interface FakeCameras {
  readonly devices: FakeMediaDevices;
  readonly detector: typeof detector;
  /** Returns the running camera's track. */
  running: () => FakeTrack | undefined;
  /** Holds a code up to the cameras, or removes it. */
  show: (text?: string, format?: string) => void;
  plug: (...cameras: FakeCamera[]) => void;
  /** Unplugs a camera, even while it runs. */
  unplug: (camera: FakeCamera) => void;
  setPermission: (state: PermissionState) => void;
  setHidden: (isHidden: boolean) => void;
}

/** jsdom neither plays nor draws. Every frame counts as drawn, with the requested pixels. */
function stubPictures(): void {
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  vi.spyOn(HTMLMediaElement.prototype, 'readyState', 'get').mockReturnValue(4);
  vi.spyOn(HTMLVideoElement.prototype, 'videoWidth', 'get').mockReturnValue(1080);
  vi.spyOn(HTMLVideoElement.prototype, 'videoHeight', 'get').mockReturnValue(1080);
  const context = {
    fillRect: () => undefined,
    drawImage: () => undefined,
    getImageData: (_x: number, _y: number, width: number, height: number) => ({ width, height }),
  };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
}

/** For the start of a test; `vi.unstubAllGlobals` and restoring the mocks remove it. */
export function installFakeCameras(
  cameras: readonly FakeCamera[] = [BACK],
  permission: Permission = 'granted',
): FakeCameras {
  Object.assign(detector, {
    seen: [],
    decodeCount: 0,
    isBroken: false,
    failsToLoad: false,
  });
  stubPictures();
  const devices = new FakeMediaDevices(cameras);
  const status = new FakePermission(permission === 'unknown' ? 'prompt' : permission);
  if (permission === 'denied') devices.answer = 'deny';
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('navigator', {
    userAgent: navigator.userAgent,
    platform: navigator.platform,
    clipboard: navigator.clipboard,
    mediaDevices: devices,
    permissions: {
      query: () =>
        permission === 'unknown'
          ? Promise.reject(new TypeError('camera is no permission'))
          : Promise.resolve(status),
    },
  });
  const announce = (): void => void devices.dispatchEvent(new Event('devicechange'));
  return {
    devices,
    detector,
    running: () => devices.tracks.find(({ readyState }) => readyState === 'live'),
    show(text, format = 'qr_code') {
      detector.seen = text === undefined ? [] : [{ rawValue: text, format }];
    },
    plug(...added) {
      devices.cameras = [...devices.cameras, ...added];
      announce();
    },
    unplug({ id }) {
      devices.cameras = devices.cameras.filter((camera) => camera.id !== id);
      for (const track of devices.tracks) {
        if (track.readyState === 'ended' || track.getSettings().deviceId !== id) continue;
        track.stop();
        track.dispatchEvent(new Event('ended'));
      }
      announce();
    },
    setPermission(state) {
      status.state = state;
      status.dispatchEvent(new Event('change'));
    },
    setHidden(isHidden) {
      vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(isHidden ? 'hidden' : 'visible');
      document.dispatchEvent(new Event('visibilitychange'));
    },
  };
}
