/**
 * The scanner's states (spec 4): getting the permission and a camera, then scanning or paused. It lives outside React,
 * because a camera outlives a render and must be released at an exact moment.
 */
import {
  closeCamera,
  controlsOf,
  hasCamera,
  isHiddenList,
  listCameras,
  openCamera,
  queryCameraPermission,
  readLastCameraId,
  rememberCameraId,
  switchTorch,
  zoomTo,
} from './qr-scanner-camera.ts';
import type { Camera, CameraRefusal, OpenedCamera } from './qr-scanner-camera.ts';
import { loadDecoder } from './qr-scanner-decoder.ts';
import { createRepeatFilter, readFrames } from './qr-scanner-frames.ts';
import { FIRST_VIEW, NO_CONTROLS } from './qr-scanner-view.ts';
import type { ScannerView } from './qr-scanner-view.ts';

/** Reasons that keep the camera off although the user wants it on. */
type Hold = 'hidden' | 'host';

interface Running {
  readonly stream: MediaStream;
  readonly track: MediaStreamTrack;
  stopReading: () => void;
}

export class ScannerSession {
  #onText: (text: string) => void = () => undefined;
  readonly #listeners = new Set<() => void>();
  readonly #holds = new Set<Hold>();
  #isNew = createRepeatFilter();
  #view = FIRST_VIEW;
  #video: HTMLVideoElement | undefined;
  #running: Running | undefined;
  #permission: PermissionStatus | undefined;
  /** Names of all cameras seen so far, by id, unplugged ones included. */
  readonly #names = new Map<string, string>();
  #isPermitted = false;
  /** The user wants the camera on, so it starts again when nothing keeps it off. */
  #isWanted = false;
  /** Incremented by every start and stop, so that earlier asynchronous work can tell that it is outdated. */
  #turn = 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly read = (): ScannerView => this.#view;

  /** Finds a camera and shows it in `video` until `close`. `onText` receives each code's text once. */
  open(video: HTMLVideoElement, onText: (text: string) => void): void {
    this.#video = video;
    this.#onText = onText;
    this.#isNew = createRepeatFilter();
    document.addEventListener('visibilitychange', this.#followPage);
    this.#followPage();
    if (!globalThis.isSecureContext) {
      this.#show({ phase: 'blocked', fault: { kind: 'insecure' } });
      return;
    }
    const { mediaDevices } = navigator as Partial<Navigator>;
    if (mediaDevices === undefined) {
      this.#show({ phase: 'blocked', fault: { kind: 'no_camera' } });
      return;
    }
    mediaDevices.addEventListener('devicechange', this.#followDevices);
    void this.#lookUp();
  }

  close(): void {
    this.#halt();
    this.#isWanted = false;
    this.#video = undefined;
    this.#holds.clear();
    document.removeEventListener('visibilitychange', this.#followPage);
    const { mediaDevices } = navigator as Partial<Navigator>;
    mediaDevices?.removeEventListener('devicechange', this.#followDevices);
    this.#permission?.removeEventListener('change', this.#followPermission);
    this.#permission = undefined;
    this.#view = FIRST_VIEW;
  }

  /** Starts the chosen camera, requesting the permission if needed. */
  async start(): Promise<void> {
    this.#isWanted = true;
    if (this.#holds.size > 0) return;
    const { cameraId } = this.#view;
    if (cameraId === undefined || cameraId === '') {
      await this.#begin(undefined);
      return;
    }
    const cameras = await this.#refreshCameras();
    if (!this.#isWanted) return;
    if (cameras.length === 0) this.#refuse('none', cameraId);
    else if (isHiddenList(cameras) || hasCamera(cameras, cameraId)) await this.#begin(cameraId);
    else this.#refuse('absent', cameraId);
  }

  stop(): void {
    this.#isWanted = false;
    this.#pause();
  }

  choose(cameraId: string): void {
    const isOn = this.#running !== undefined;
    this.#show({ cameraId, fault: undefined });
    if (isOn) void this.start();
  }

  /** Keeps the camera off while the host shows something else. */
  setHeld(isHeld: boolean): void {
    this.#hold('host', isHeld);
  }

  async toggleTorch(): Promise<void> {
    const track = this.#running?.track;
    if (track === undefined) return;
    const isTorchOn = !this.#view.isTorchOn;
    const isDone = await switchTorch(track, isTorchOn);
    if (this.#running?.track !== track) return;
    // Some cameras report a torch that they cannot switch.
    this.#show(isDone ? { isTorchOn } : { hasTorch: false, isTorchOn: false });
  }

  async setZoom(zoom: number): Promise<void> {
    const track = this.#running?.track;
    if (track === undefined) return;
    this.#show({ zoom });
    const isDone = await zoomTo(track, zoom);
    if (!isDone && this.#running?.track === track) this.#show({ zoomMax: undefined });
  }

  #show(change: Partial<ScannerView>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }

  #halt(): void {
    this.#turn += 1;
    const running = this.#running;
    this.#running = undefined;
    if (running === undefined) return;
    running.stopReading();
    closeCamera(running.stream);
    if (this.#video !== undefined) this.#video.srcObject = null;
  }

  #pause(change: Partial<ScannerView> = {}): void {
    this.#halt();
    this.#show({ phase: 'paused', ...NO_CONTROLS, ...change });
  }

  #hold(hold: Hold, isHeld: boolean): void {
    if (this.#holds.has(hold) === isHeld) return;
    if (isHeld) this.#holds.add(hold);
    else this.#holds.delete(hold);
    if (!this.#isWanted) return;
    if (this.#holds.size > 0) this.#pause();
    else void this.start();
  }

  readonly #followPage = (): void => {
    // The permission prompt itself may hide the page.
    const isHidden = document.visibilityState === 'hidden';
    if (isHidden && this.#view.phase === 'requesting') return;
    this.#hold('hidden', isHidden);
  };

  readonly #followPermission = (): void => {
    if (this.#permission?.state === 'granted' && this.#view.phase === 'permission') {
      void this.start();
    }
  };

  readonly #followDevices = (): void => {
    const { fault, phase } = this.#view;
    void this.#refreshCameras().then((cameras) => {
      const wasNone = fault?.kind === 'no_cameras' || fault?.kind === 'no_camera';
      if (wasNone && phase === 'permission' && cameras.length > 0) void this.#lookUp();
    });
  };

  /** Starts automatically if the permission was granted before. Otherwise the user has to start it. */
  async #lookUp(): Promise<void> {
    const turn = this.#turn;
    const [permission, cameras] = await Promise.all([queryCameraPermission(), listCameras()]);
    if (turn !== this.#turn || this.#video === undefined) return;
    this.#permission?.removeEventListener('change', this.#followPermission);
    this.#permission = permission;
    permission?.addEventListener('change', this.#followPermission);
    this.#isPermitted = permission?.state === 'granted';
    if (cameras.length === 0) {
      this.#show({ phase: 'permission', fault: { kind: 'no_cameras' } });
    } else if (permission?.state === 'denied') {
      this.#show({ phase: 'permission', fault: { kind: 'denied' } });
    } else if (this.#isPermitted) {
      this.#isWanted = true;
      if (this.#holds.size > 0) this.#pause();
      else await this.#begin(undefined);
    } else {
      this.#show({ phase: 'permission', fault: undefined });
    }
  }

  /** The cameras that exist now. They keep their names when the browser hides them between two scans. */
  async #refreshCameras(): Promise<readonly Camera[]> {
    const listed = await listCameras();
    for (const { id, label } of listed) if (label !== '') this.#names.set(id, label);
    const cameras = listed.map(({ id }) => ({ id, label: this.#names.get(id) ?? '' }));
    if (this.#video !== undefined && this.#isPermitted && !isHiddenList(cameras)) {
      this.#show({ cameras });
    }
    return cameras;
  }

  async #begin(id: string | undefined): Promise<void> {
    this.#halt();
    const turn = this.#turn;
    this.#show({ phase: this.#isPermitted ? 'starting' : 'requesting', fault: undefined });
    // Preloads the decoder while the user responds and the camera starts. A failure is reported when it is used.
    loadDecoder().catch(() => undefined);
    const opened = await openCamera(id);
    if (opened.kind === 'open') this.#isPermitted = true;
    const cameras = opened.kind === 'open' ? await this.#refreshCameras() : [];
    if (turn !== this.#turn) {
      if (opened.kind === 'open') closeCamera(opened.stream);
    } else if (opened.kind === 'open') {
      const cameraId = opened.track.getSettings().deviceId ?? cameras[0]?.id ?? '';
      this.#show({ cameraId });
      const isChosen = id !== undefined || cameras.length === 1 || cameraId === readLastCameraId();
      if (isChosen) await this.#run(opened, cameraId);
      else this.#leaveTheChoice(opened.stream);
    } else {
      this.#refuse(opened.kind, id);
    }
  }

  /** There are several cameras and none was used before, so the user chooses. */
  #leaveTheChoice(stream: MediaStream): void {
    closeCamera(stream);
    this.stop();
  }

  async #run({ stream, track }: OpenedCamera & { kind: 'open' }, cameraId: string): Promise<void> {
    const video = this.#video;
    if (video === undefined) return;
    const running: Running = { stream, track, stopReading: () => undefined };
    this.#running = running;
    track.addEventListener('ended', () => {
      if (this.#running === running) void this.#lose(cameraId);
    });
    rememberCameraId(cameraId);
    video.srcObject = stream;
    // Rejects if the stream is removed before it plays.
    video.play().catch(() => undefined);
    this.#show({ phase: 'scanning', fault: undefined, ...NO_CONTROLS, ...controlsOf(track) });
    try {
      const decode = await loadDecoder();
      if (this.#running !== running) return;
      const onText = (text: string): void => {
        if (this.#isNew(text)) this.#onText(text);
      };
      const onFailure = (): void => this.#failToDecode();
      running.stopReading = readFrames({ video, decode, onText, onFailure });
    } catch {
      if (this.#running === running) this.#failToDecode();
    }
  }

  #failToDecode(): void {
    this.#isWanted = false;
    this.#pause({ fault: { kind: 'not_initialized' } });
  }

  /** The camera was unplugged, or another program took it over. */
  async #lose(cameraId: string): Promise<void> {
    this.stop();
    const turn = this.#turn;
    const cameras = await this.#refreshCameras();
    if (turn !== this.#turn) return;
    const isGone = !isHiddenList(cameras) && !hasCamera(cameras, cameraId);
    this.#refuse(cameras.length === 0 ? 'none' : isGone ? 'absent' : 'busy', cameraId);
  }

  #refuse(refusal: CameraRefusal, cameraId: string | undefined): void {
    this.#isWanted = false;
    switch (refusal) {
      case 'denied':
        this.#isPermitted = false;
        this.#show({ phase: 'permission', fault: { kind: 'denied' } });
        return;
      case 'none':
        this.#show({
          phase: 'permission',
          cameras: [],
          cameraId: undefined,
          fault: { kind: this.#isPermitted ? 'no_cameras' : 'no_camera' },
        });
        return;
      case 'absent':
        this.#pause({
          cameraId: this.#view.cameras[0]?.id,
          fault: { kind: 'absent', camera: this.#names.get(cameraId ?? '') ?? cameraId ?? '' },
        });
        return;
      case 'busy':
        this.#pause({ fault: { kind: 'busy' } });
    }
  }
}
