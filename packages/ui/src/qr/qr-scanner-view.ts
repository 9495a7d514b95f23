/** The scanner's visible state. */
import { ZOOM_MIN } from './qr-scanner-camera.ts';
import type { Camera } from './qr-scanner-camera.ts';

export type ScannerPhase =
  /** The permission is being queried. */
  | 'opening'
  /** This page cannot use cameras. */
  | 'blocked'
  | 'permission'
  | 'requesting'
  | 'starting'
  | 'scanning'
  | 'paused';

export type ScannerFault =
  | {
      readonly kind:
        'insecure' | 'denied' | 'no_camera' | 'no_cameras' | 'busy' | 'not_initialized';
    }
  | { readonly kind: 'absent'; readonly camera: string };

export interface ScannerView {
  readonly phase: ScannerPhase;
  readonly fault: ScannerFault | undefined;
  readonly cameras: readonly Camera[];
  readonly cameraId: string | undefined;
  readonly hasTorch: boolean;
  readonly isTorchOn: boolean;
  /** The zoom slider's maximum; `undefined` if the camera does not zoom. */
  readonly zoomMax: number | undefined;
  readonly zoom: number;
}

export const NO_CONTROLS = {
  hasTorch: false,
  isTorchOn: false,
  zoomMax: undefined,
  zoom: ZOOM_MIN,
};
export const FIRST_VIEW: ScannerView = {
  phase: 'opening',
  fault: undefined,
  cameras: [],
  cameraId: undefined,
  ...NO_CONTROLS,
};
