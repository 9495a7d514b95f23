// @vitest-environment jsdom
import { act, cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { StrictMode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BACK, FRONT, installFakeCameras, type FakeCameras } from '../../test/fake-cameras.ts';
import { QrScanner, type QrScannerProps } from './qr-scanner.tsx';

vi.mock(
  'barcode-detector/ponyfill',
  async () => (await import('../../test/fake-cameras.ts')).fakeDetector,
);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('jest', { advanceTimersByTime: (ms: number) => vi.advanceTimersByTime(ms) });
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Lets `ms` pass and waits for lazily loaded modules. */
async function pass(ms = 0): Promise<void> {
  for (let depth = 0; depth < 3; depth += 1) {
    await act(async () => {
      await vi.dynamicImportSettled();
      await vi.advanceTimersByTimeAsync(0);
    });
  }
  await act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });
}

async function open(props: Partial<QrScannerProps> = {}) {
  const onDecoded = vi.fn<(text: string) => void>();
  const element = (more: Partial<QrScannerProps> = {}) => (
    <StrictMode>
      <QrScanner onDecoded={onDecoded} {...props} {...more} />
    </StrictMode>
  );
  const { rerender, unmount } = render(element());
  await pass();
  return {
    onDecoded,
    unmount,
    rerender: (more: Partial<QrScannerProps>) => rerender(element(more)),
    press: async (name: string) => {
      await userEvent.setup({ delay: null }).click(screen.getByRole('button', { name }));
      await pass();
    },
    choose: async (label: string) => {
      const select = screen.getByRole('combobox', { name: 'Select Camera' });
      await userEvent.setup({ delay: null }).selectOptions(select, label);
      await pass();
    },
  };
}

const button = (name: string) => screen.queryByRole<HTMLButtonElement>('button', { name });
const messages = () =>
  screen
    .getAllByRole('status')
    .map(({ textContent }) => textContent)
    .join(' ');
const cameraOf = (cameras: FakeCameras) => cameras.running()?.getSettings().deviceId;

describe('starting the camera', () => {
  it('[S2-204] has the title Code Scanner, which a host with its own title hides', async () => {
    installFakeCameras();
    const { rerender } = await open();
    const widget = within(screen.getByRole('region', { name: 'Code Scanner' }));
    expect(widget.getByRole('heading', { name: 'Code Scanner' })).toBeDefined();
    rerender({ isTitleHidden: true });
    expect(screen.queryByRole('heading')).toBeNull();
    expect(screen.getByRole('region', { name: 'Code Scanner' })).toBeDefined();
  });

  it.each(['prompt', 'unknown'] as const)(
    '[S2-205] [S4-073] [S6-004] asks for the permission before the start (%s)',
    async (permission) => {
      const cameras = installFakeCameras([BACK], permission);
      cameras.devices.answer = undefined;
      const { press } = await open();
      expect(cameras.devices.requests).toEqual([]);
      await press('Request Camera Permissions');
      expect(button('Requesting camera permissions...')?.disabled).toBe(true);
      expect(messages()).toContain('Requesting camera permissions...');
      expect(cameras.running()).toBeUndefined();
      cameras.devices.decide('allow');
      await pass();
      expect(cameras.running()?.getSettings().deviceId).toBe(BACK.id);
      expect(messages()).toContain('Scanning');
    },
  );

  it('[S4-074] starts automatically with a single camera once it is permitted', async () => {
    const cameras = installFakeCameras([BACK], 'granted');
    await open();
    expect(cameraOf(cameras)).toBe(BACK.id);
    expect(screen.queryByRole('combobox')).toBeNull();
  });

  it('starts when the permission is given elsewhere', async () => {
    const cameras = installFakeCameras([BACK], 'prompt');
    await open();
    cameras.setPermission('granted');
    await pass();
    expect(cameraOf(cameras)).toBe(BACK.id);
  });

  it('requests a square picture from the rear camera, and no sound', async () => {
    const cameras = installFakeCameras();
    await open();
    expect(cameras.devices.requests.at(-1)).toMatchObject({
      facingMode: { ideal: 'environment' },
      aspectRatio: { ideal: 1 },
    });
  });
});

describe('warnings', () => {
  it('[S8-026] says that the permission is missing when it is refused, and requests it again', async () => {
    const cameras = installFakeCameras([BACK], 'prompt');
    cameras.devices.answer = 'deny';
    const { press } = await open();
    await press('Request Camera Permissions');
    expect(messages()).toContain('The camera permission is missing');
    cameras.devices.answer = 'allow';
    await press('Request Camera Permissions');
    expect(cameraOf(cameras)).toBe(BACK.id);
    expect(messages()).not.toContain('missing');
  });

  it('[S8-026] says so at once if it was refused before, without requesting it', async () => {
    const cameras = installFakeCameras([BACK], 'denied');
    await open();
    expect(messages()).toContain('The camera permission is missing');
    expect(cameras.devices.requests).toEqual([]);
  });

  it('[S8-025] [S8-027] reports No cameras found when there are none, and continues when one is plugged in', async () => {
    const cameras = installFakeCameras([], 'granted');
    await open();
    expect(messages()).toContain('No cameras found');
    expect(messages()).toContain('Connect a camera, or scan an image file instead.');
    cameras.plug(BACK);
    await pass();
    expect(cameraOf(cameras)).toBe(BACK.id);
    expect(messages()).not.toContain('No cameras found');
  });

  it('[S2-205] [S8-027] says No camera found when the request finds none', async () => {
    const cameras = installFakeCameras([BACK], 'prompt');
    cameras.devices.failure = 'NotFoundError';
    const { press } = await open();
    await press('Request Camera Permissions');
    expect(messages()).toContain('No camera found');
  });

  it('[S8-028] says that cameras work only in secure contexts, and requests none', async () => {
    const cameras = installFakeCameras();
    vi.stubGlobal('isSecureContext', false);
    await open();
    expect(messages()).toContain('Camera access works only in secure contexts');
    expect(cameras.devices.requests).toEqual([]);
    expect(button('Request Camera Permissions')).toBeNull();
    expect(button('Scan an Image File')).not.toBeNull();
  });

  it('[S8-023] reports a decoder that did not load, releases the camera, and tries again on Start Scanning', async () => {
    vi.resetModules();
    const cameras = installFakeCameras();
    cameras.detector.failsToLoad = true;
    const { QrScanner: FreshScanner } = await import('./qr-scanner.tsx');
    const onDecoded = vi.fn<(text: string) => void>();
    render(<FreshScanner onDecoded={onDecoded} />);
    await pass();
    expect(messages()).toContain('Code scanner not initialized.');
    expect(cameras.running()).toBeUndefined();
    cameras.detector.failsToLoad = false;
    cameras.show('hello');
    await userEvent
      .setup({ delay: null })
      .click(screen.getByRole('button', { name: 'Start Scanning' }));
    await pass(200);
    expect(onDecoded).toHaveBeenCalledWith('hello');
    expect(messages()).not.toContain('not initialized');
  });

  it('[S8-023] reports a decoder that fails while scanning', async () => {
    const cameras = installFakeCameras();
    await open();
    cameras.detector.isBroken = true;
    await pass(100);
    expect(messages()).toContain('Code scanner not initialized.');
    expect(cameras.running()).toBeUndefined();
  });

  it('says that another app is using the camera', async () => {
    const cameras = installFakeCameras();
    cameras.devices.failure = 'NotReadableError';
    const { press } = await open();
    expect(messages()).toContain('The camera did not start');
    cameras.devices.failure = undefined;
    await press('Start Scanning');
    expect(cameraOf(cameras)).toBe(BACK.id);
  });

  it("[S8-029] announces the host's fault, such as QR code parse error", async () => {
    installFakeCameras();
    const { rerender } = await open();
    expect(messages()).not.toContain('QR code parse error');
    rerender({ fault: 'QR code parse error' });
    expect(messages()).toContain('QR code parse error');
  });
});

describe('scanning and paused', () => {
  it('[S2-206] [S4-072] [S4-073] stops and starts the camera', async () => {
    const cameras = installFakeCameras();
    const { press } = await open();
    expect(messages()).toContain('Scanning');
    await press('Stop Scanning');
    expect(cameras.running()).toBeUndefined();
    expect(messages()).toContain('Paused');
    await press('Start Scanning');
    expect(cameraOf(cameras)).toBe(BACK.id);
    expect(messages()).toContain('Scanning');
  });

  it('releases the camera when it is unmounted', async () => {
    const cameras = installFakeCameras();
    const { unmount } = await open();
    unmount();
    expect(cameras.running()).toBeUndefined();
  });

  it('releases a camera that opens after it was unmounted', async () => {
    const cameras = installFakeCameras([BACK], 'prompt');
    cameras.devices.answer = undefined;
    const { press, unmount } = await open();
    await press('Request Camera Permissions');
    unmount();
    cameras.devices.decide('allow');
    await pass();
    expect(cameras.devices.tracks).toHaveLength(1);
    expect(cameras.running()).toBeUndefined();
  });

  it('releases the camera while the page is hidden, and reopens it afterwards', async () => {
    const cameras = installFakeCameras();
    await open();
    cameras.setHidden(true);
    await pass();
    expect(cameras.running()).toBeUndefined();
    cameras.setHidden(false);
    await pass();
    expect(cameraOf(cameras)).toBe(BACK.id);
  });

  it('stays off after the page was hidden when the user had stopped it', async () => {
    const cameras = installFakeCameras();
    const { press } = await open();
    await press('Stop Scanning');
    cameras.setHidden(true);
    cameras.setHidden(false);
    await pass();
    expect(cameras.running()).toBeUndefined();
  });

  it('is off while its host pauses it, and cannot be started then', async () => {
    const cameras = installFakeCameras();
    const { rerender } = await open();
    rerender({ isPaused: true });
    await pass();
    expect(cameras.running()).toBeUndefined();
    expect(button('Start Scanning')?.disabled).toBe(true);
    rerender({ isPaused: false });
    await pass();
    expect(cameraOf(cameras)).toBe(BACK.id);
  });

  it('can open paused, and starts when its host resumes it', async () => {
    const cameras = installFakeCameras();
    const { rerender } = await open({ isPaused: true });
    expect(cameras.devices.requests).toEqual([]);
    rerender({ isPaused: false });
    await pass();
    expect(cameraOf(cameras)).toBe(BACK.id);
  });

  it('does not start on a permission given while the page is hidden', async () => {
    const cameras = installFakeCameras([BACK], 'prompt');
    await open();
    cameras.setHidden(true);
    cameras.setPermission('granted');
    await pass();
    expect(cameras.devices.requests).toEqual([]);
    cameras.setHidden(false);
    await pass();
    expect(cameraOf(cameras)).toBe(BACK.id);
  });

  it('opens only one camera under strict effects', async () => {
    const cameras = installFakeCameras();
    await open();
    expect(cameras.devices.tracks.filter(({ readyState }) => readyState === 'live')).toHaveLength(
      1,
    );
  });
});

describe('several cameras', () => {
  it('[S2-208] offers Select Camera and waits for the choice', async () => {
    const cameras = installFakeCameras([BACK, FRONT]);
    const { press, choose } = await open();
    expect(cameras.running()).toBeUndefined();
    const select = screen.getByRole('combobox', { name: 'Select Camera' });
    expect(
      within(select)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Back camera', 'Front camera']);
    await choose('Front camera');
    expect(cameras.running()).toBeUndefined();
    await press('Start Scanning');
    expect(cameraOf(cameras)).toBe(FRONT.id);
  });

  it('switches to another camera while scanning', async () => {
    const cameras = installFakeCameras([BACK, FRONT]);
    const { press, choose } = await open();
    await press('Start Scanning');
    expect(cameraOf(cameras)).toBe(BACK.id);
    await choose('Front camera');
    expect(cameraOf(cameras)).toBe(FRONT.id);
    expect(cameras.devices.tracks.filter(({ readyState }) => readyState === 'live')).toHaveLength(
      1,
    );
  });

  it('[S4-075] starts the last-used one automatically next time', async () => {
    const cameras = installFakeCameras([BACK, FRONT]);
    const { press, choose, unmount } = await open();
    await choose('Front camera');
    await press('Start Scanning');
    unmount();
    await open();
    expect(cameraOf(cameras)).toBe(FRONT.id);
  });

  it('waits for a choice if the last-used one is gone', async () => {
    localStorage.setItem('scanner-camera', 'sold-id');
    const cameras = installFakeCameras([BACK, FRONT]);
    await open();
    expect(cameras.running()).toBeUndefined();
    expect(button('Start Scanning')).not.toBeNull();
  });

  it('keep their names if the browser hides them between scans', async () => {
    const cameras = installFakeCameras([BACK, FRONT]);
    cameras.devices.hidesIdle = true;
    const { press, choose } = await open();
    await choose('Front camera');
    await press('Start Scanning');
    expect(cameraOf(cameras)).toBe(FRONT.id);
    await press('Stop Scanning');
    await choose('Back camera');
    await press('Start Scanning');
    expect(cameraOf(cameras)).toBe(BACK.id);
    await press('Stop Scanning');
    cameras.devices.cameras = [FRONT];
    await press('Start Scanning');
    expect(messages()).toContain('Back camera is not present in the camera list.');
  });

  it('works without storage', async () => {
    const cameras = installFakeCameras();
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('refused', 'SecurityError');
    });
    await open();
    expect(cameraOf(cameras)).toBe(BACK.id);
  });
});

describe('a camera that disappears', () => {
  it('[S8-024] is reported by its name if it was chosen and is missing at the start', async () => {
    const cameras = installFakeCameras([BACK, FRONT]);
    const { press, choose } = await open();
    await choose('Front camera');
    cameras.devices.cameras = [BACK];
    await press('Start Scanning');
    expect(messages()).toContain('Front camera is not present in the camera list.');
    expect(cameras.running()).toBeUndefined();
  });

  it('[S8-024] is reported by its id if it has no name', async () => {
    const nameless = { id: 'a1b2c3', label: '' };
    const cameras = installFakeCameras([BACK, nameless]);
    const { press, choose } = await open();
    await choose('Camera 2');
    cameras.devices.cameras = [BACK];
    await press('Start Scanning');
    expect(messages()).toContain('a1b2c3 is not present in the camera list.');
  });

  it('[S8-024] is reported when it is unplugged while scanning, and another one can take over', async () => {
    localStorage.setItem('scanner-camera', FRONT.id);
    const cameras = installFakeCameras([BACK, FRONT]);
    const { press } = await open();
    expect(cameraOf(cameras)).toBe(FRONT.id);
    cameras.unplug(FRONT);
    await pass();
    expect(messages()).toContain('Front camera is not present in the camera list.');
    expect(messages()).toContain('Paused');
    await press('Start Scanning');
    expect(cameraOf(cameras)).toBe(BACK.id);
    expect(messages()).not.toContain('not present');
  });

  it('[S8-025] leads to No cameras found if it was the last, and starts when it is back', async () => {
    const cameras = installFakeCameras([BACK]);
    await open();
    cameras.unplug(BACK);
    await pass();
    expect(messages()).toContain('No cameras found');
    cameras.plug(BACK);
    await pass();
    expect(cameraOf(cameras)).toBe(BACK.id);
  });
});

describe('torch and zoom', () => {
  it('[S4-076] are absent if the camera has neither', async () => {
    installFakeCameras();
    await open();
    expect(button('Switch On Torch')).toBeNull();
    expect(screen.queryByRole('slider')).toBeNull();
  });

  it('[S2-207] [S4-076] switches the torch on and off', async () => {
    const cameras = installFakeCameras([{ ...BACK, torch: true }]);
    const { press } = await open();
    await press('Switch On Torch');
    expect(cameras.running()?.applied).toEqual([{ torch: true }]);
    await press('Switch Off Torch');
    expect(cameras.running()?.applied).toEqual([{ torch: true }, { torch: false }]);
    expect(button('Switch On Torch')).not.toBeNull();
  });

  it('stops offering a torch that the camera cannot switch on', async () => {
    const cameras = installFakeCameras([{ ...BACK, torch: true }]);
    const { press } = await open();
    const track = cameras.running();
    if (track === undefined) throw new Error('no camera runs');
    vi.spyOn(track, 'applyConstraints').mockRejectedValue(
      new DOMException('no', 'NotSupportedError'),
    );
    await press('Switch On Torch');
    expect(button('Switch On Torch')).toBeNull();
    expect(button('Switch Off Torch')).toBeNull();
  });

  const slider = () => screen.getByRole<HTMLInputElement>('slider', { name: 'Zoom' });
  const slideTo = async (value: string) => {
    const { fireEvent } = await import('@testing-library/react');
    fireEvent.change(slider(), { target: { value } });
    await pass();
  };

  it('[S2-210] [S4-076] [S9-015] zooms from 1 to 5 in steps of 0.1', async () => {
    const cameras = installFakeCameras([{ ...BACK, zoom: { min: 1, max: 8 } }]);
    await open();
    expect(slider()).toMatchObject({ min: '1', max: '5', step: '0.1', value: '1' });
    await slideTo('2.5');
    expect(cameras.running()?.applied).toEqual([{ zoom: 2.5 }]);
    expect(slider().getAttribute('aria-valuetext')).toBe('2.5x');
  });

  it.each([
    ['that reaches less', { min: 1, max: 3 }, '3', '3', 3],
    ['that counts in percent', { min: 100, max: 400 }, '4', '2', 200],
    ['that also goes wider', { min: 0.5, max: 10 }, '5', '2', 2],
  ])('zooms a camera %s', async (_name, zoom, max, value, applied) => {
    const cameras = installFakeCameras([{ ...BACK, zoom }]);
    await open();
    expect(slider().max).toBe(max);
    await slideTo(value);
    expect(cameras.running()?.applied).toEqual([{ zoom: applied }]);
  });
});

describe('codes', () => {
  it('[S9-011] reads 10 frames a second', async () => {
    const cameras = installFakeCameras();
    await open();
    const before = cameras.detector.decodeCount;
    await pass(1000);
    expect(cameras.detector.decodeCount - before).toBe(10);
  });

  it('[S9-012] [D-136] reads QR codes only', async () => {
    const cameras = installFakeCameras();
    const { onDecoded } = await open();
    expect(cameras.detector.formats).toEqual(['qr_code']);
    cameras.show('4006381333931', 'ean_13');
    await pass(1000);
    expect(onDecoded).not.toHaveBeenCalled();
    cameras.show('hello');
    await pass(100);
    expect(onDecoded.mock.calls).toEqual([['hello']]);
  });

  it('[S3-045] reports a text once while it stays in view, and again after it was out of view for 2 s', async () => {
    const cameras = installFakeCameras();
    const { onDecoded } = await open();
    cameras.show('hello');
    await pass(5000);
    expect(onDecoded.mock.calls).toEqual([['hello']]);
    cameras.show();
    await pass(1500);
    cameras.show('hello');
    await pass(200);
    expect(onDecoded).toHaveBeenCalledTimes(1);
    cameras.show();
    await pass(2100);
    cameras.show('hello');
    await pass(100);
    expect(onDecoded).toHaveBeenCalledTimes(2);
  });

  it('reports another text at once', async () => {
    const cameras = installFakeCameras();
    const { onDecoded } = await open();
    cameras.show('one');
    await pass(100);
    cameras.show('two');
    await pass(100);
    expect(onDecoded.mock.calls).toEqual([['one'], ['two']]);
  });

  it('reports nothing while it is stopped', async () => {
    const cameras = installFakeCameras();
    const { onDecoded, press } = await open();
    await press('Stop Scanning');
    cameras.show('hello');
    await pass(1000);
    expect(onDecoded).not.toHaveBeenCalled();
  });
});
