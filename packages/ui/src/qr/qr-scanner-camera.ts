/** The browser's cameras: listing them, opening one, torch and zoom (spec 4, 6 and 9). */

export interface Camera {
  readonly id: string;
  /** Empty until the user has permitted cameras. */
  readonly label: string;
}

export type CameraRefusal = 'denied' | 'none' | 'absent' | 'busy';
export type OpenedCamera =
  | { readonly kind: 'open'; readonly stream: MediaStream; readonly track: MediaStreamTrack }
  | { readonly kind: CameraRefusal };

/** Spec 9: the zoom slider. */
export const ZOOM_MIN = 1;
const ZOOM_MAX = 5;
export const ZOOM_STEP = 0.1;

const STORAGE_KEY = 'scanner-camera';
/** Enough for a code of 40 items that fills a third of the picture. A higher resolution would only be slower. */
const SIDE_IDEAL_PX = 1080;

export function readLastCameraId(): string | undefined {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

export function rememberCameraId(id: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, id);
  } catch {
    // Private windows may refuse storage. The user then chooses the camera again next time.
  }
}

/** Empty until the user has granted access to cameras. */
export async function listCameras(): Promise<readonly Camera[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices
    .filter(({ kind }) => kind === 'videoinput')
    .map(({ deviceId, label }) => ({ id: deviceId, label }));
}

/** Firefox reveals ids and names only while a camera runs. */
export const isHiddenList = (cameras: readonly Camera[]): boolean =>
  cameras.some(({ id }) => id === '');

export const hasCamera = (cameras: readonly Camera[], wantedId: string): boolean =>
  cameras.some(({ id }) => id === wantedId);

/** The state of the permission, if the browser reports it. Older Firefox versions do not support this query. */
export async function queryCameraPermission(): Promise<PermissionStatus | undefined> {
  try {
    return await navigator.permissions.query({ name: 'camera' });
  } catch {
    return undefined;
  }
}

const REFUSALS: Readonly<Record<string, CameraRefusal>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'none',
  OverconstrainedError: 'absent',
};

/**
 * Requests the permission if needed and opens a camera: the given one, otherwise the last used, otherwise a rear
 * camera.
 */
export async function openCamera(id: string | undefined): Promise<OpenedCamera> {
  const lastId = readLastCameraId();
  const choice: MediaTrackConstraints =
    id === undefined
      ? {
          facingMode: { ideal: 'environment' },
          ...(lastId !== undefined && { deviceId: { ideal: lastId } }),
        }
      : { deviceId: { exact: id } };
  try {
    const stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: {
        ...choice,
        width: { ideal: SIDE_IDEAL_PX },
        height: { ideal: SIDE_IDEAL_PX },
        aspectRatio: { ideal: 1 },
      },
    });
    const [track] = stream.getVideoTracks();
    return track === undefined ? { kind: 'none' } : { kind: 'open', stream, track };
  } catch (error) {
    return { kind: REFUSALS[(error as Error).name] ?? 'busy' };
  }
}

export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Capabilities that are missing in TypeScript's DOM types. */
interface Capabilities extends MediaTrackCapabilities {
  readonly torch?: boolean;
  readonly zoom?: { readonly min: number; readonly max: number };
}
interface ExtraConstraints extends MediaTrackConstraintSet {
  torch?: boolean;
  zoom?: number;
}

export interface CameraControls {
  readonly hasTorch: boolean;
  /** The slider's maximum; `undefined` if the camera does not zoom. */
  readonly zoomMax: number | undefined;
}

const capabilitiesOf = (track: MediaStreamTrack): Capabilities => {
  // Firefox lacks this method.
  const { getCapabilities } = track as Partial<MediaStreamTrack>;
  return getCapabilities?.call(track) ?? {};
};

/** The camera's value for 1 on the slider: 1, or its minimum if that is more (some cameras count in percent). */
const zoomBase = ({ min, max }: { min: number; max: number }): number =>
  min <= 1 && max >= 1 ? 1 : min;

export function controlsOf(track: MediaStreamTrack): CameraControls {
  const { torch, zoom } = capabilitiesOf(track);
  if (zoom === undefined) return { hasTorch: torch === true, zoomMax: undefined };
  const reach = Math.floor((zoom.max / zoomBase(zoom)) * 10) / 10;
  return {
    hasTorch: torch === true,
    zoomMax: reach > ZOOM_MIN ? Math.min(ZOOM_MAX, reach) : undefined,
  };
}

/** Resolves to whether the camera applied the constraint. */
async function apply(track: MediaStreamTrack, constraint: ExtraConstraints): Promise<boolean> {
  try {
    await track.applyConstraints({ advanced: [constraint] });
    return true;
  } catch {
    return false;
  }
}

export const switchTorch = (track: MediaStreamTrack, isOn: boolean): Promise<boolean> =>
  apply(track, { torch: isOn });

/** `value` is that of the slider, from 1 to 5. */
export function zoomTo(track: MediaStreamTrack, value: number): Promise<boolean> {
  const { zoom } = capabilitiesOf(track);
  if (zoom === undefined) return Promise.resolve(false);
  return apply(track, {
    zoom: Math.min(zoom.max, Math.max(zoom.min, zoomBase(zoom) * value)),
  });
}
