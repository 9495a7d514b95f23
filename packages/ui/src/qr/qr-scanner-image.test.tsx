// @vitest-environment jsdom
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { installFakeCameras, type FakeCameras } from '../../test/fake-cameras.ts';
import { QrScanner } from './qr-scanner.tsx';

vi.mock(
  'barcode-detector/ponyfill',
  async () => (await import('../../test/fake-cameras.ts')).fakeDetector,
);

// Instead of 1 s, which a busy machine may need.
configure({ asyncUtilTimeout: 10_000 });

/** The result of the browser's reading of the chosen file. */
const picture = { width: 800, height: 600, isImage: true };
let loadedCount = 0;
const createUrl = vi.fn<() => string>(() => 'blob:picture');
const revokeUrl = vi.fn<(url: string) => void>();
let cameras: FakeCameras;

class FakeImage extends EventTarget {
  naturalWidth = 0;
  naturalHeight = 0;
  set src(_url: string) {
    queueMicrotask(() => {
      this.naturalWidth = picture.width;
      this.naturalHeight = picture.height;
      loadedCount += 1;
      this.dispatchEvent(new Event(picture.isImage ? 'load' : 'error'));
    });
  }
}

beforeEach(() => {
  Object.assign(picture, { width: 800, height: 600, isImage: true });
  loadedCount = 0;
  cameras = installFakeCameras([], 'prompt');
  vi.stubGlobal('Image', FakeImage);
  createUrl.mockClear();
  URL.createObjectURL = createUrl;
  revokeUrl.mockClear();
  URL.revokeObjectURL = revokeUrl;
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const imageFile = (type = 'image/png', bytes = 1000) =>
  new File([new Uint8Array(bytes)], 'code.png', { type });
const openButton = () => screen.getByRole('button', { name: 'Scan an Image File' });
const input = () => screen.getByTestId<HTMLInputElement>('scanner-file');
const dropArea = () => screen.getByText('Or drop an image to scan').parentElement as HTMLElement;

async function open() {
  const onDecoded = vi.fn<(text: string) => void>();
  render(<QrScanner onDecoded={onDecoded} />);
  await userEvent.click(openButton());
  return onDecoded;
}
const choose = (file: File) => fireEvent.change(input(), { target: { files: [file] } });

describe('an image file', () => {
  it("[S2-209] [S9-013] [D-137] is offered only behind 'Scan an Image File'", async () => {
    render(<QrScanner onDecoded={vi.fn()} />);
    expect(screen.queryByRole('button', { name: 'Choose Image' })).toBeNull();
    expect(screen.queryByText('Or drop an image to scan')).toBeNull();
    expect(openButton().getAttribute('aria-expanded')).toBe('false');
    await userEvent.click(openButton());
    expect(openButton().getAttribute('aria-expanded')).toBe('true');
    expect(screen.getByRole('button', { name: 'Choose Image' })).toBeDefined();
    expect(dropArea()).toBeDefined();
    await userEvent.click(openButton());
    expect(screen.queryByRole('button', { name: 'Choose Image' })).toBeNull();
  });

  it("opens the device's files with Choose Image, for images only", async () => {
    await open();
    const click = vi.spyOn(input(), 'click');
    await userEvent.click(screen.getByRole('button', { name: 'Choose Image' }));
    expect(click).toHaveBeenCalledOnce();
    expect(input().accept).toBe('image/*');
  });

  it('[S2-209] [D-136] is read: shows Loading image..., then its code and Choose Another', async () => {
    const onDecoded = await open();
    cameras.show('hello');
    choose(imageFile());
    expect(screen.getByText('Loading image...')).toBeDefined();
    await waitFor(() => expect(onDecoded.mock.calls).toEqual([['hello']]));
    expect(cameras.detector.formats).toEqual(['qr_code']);
    expect(screen.queryByText('Loading image...')).toBeNull();
    expect(screen.getByRole('button', { name: 'Choose Another' })).toBeDefined();
    expect(revokeUrl).toHaveBeenCalledWith('blob:picture');
  });

  it('[S2-209] may be dropped onto the panel', async () => {
    const onDecoded = await open();
    cameras.show('dropped');
    fireEvent.drop(dropArea(), { dataTransfer: { files: [imageFile()] } });
    await waitFor(() => expect(onDecoded.mock.calls).toEqual([['dropped']]));
  });

  it('may be chosen a second time', async () => {
    const onDecoded = await open();
    cameras.show('hello');
    choose(imageFile());
    await waitFor(() => expect(onDecoded).toHaveBeenCalledTimes(1));
    choose(imageFile());
    await waitFor(() => expect(onDecoded).toHaveBeenCalledTimes(2));
  });

  it('without a QR code is reported', async () => {
    const onDecoded = await open();
    cameras.show('4006381333931', 'ean_13');
    choose(imageFile());
    await screen.findByText('There is no QR code in this image that can be read.');
    expect(onDecoded).not.toHaveBeenCalled();
  });

  it('of more than 20 MB is refused without being read', async () => {
    await open();
    choose(imageFile('image/png', 20_000_001));
    await screen.findByText('This image is too large. Take one of up to 20 MB.');
    expect(createUrl).not.toHaveBeenCalled();
  });

  it('with too many pixels is refused before it is decoded', async () => {
    await open();
    Object.assign(picture, { width: 30_000, height: 30_000 });
    choose(imageFile());
    await screen.findByText(/^This image is too large/);
    expect(loadedCount).toBe(1);
    expect(cameras.detector.decodeCount).toBe(0);
  });

  it('is searched at 1600 pixels, then at 3200 if nothing was found', async () => {
    await open();
    Object.assign(picture, { width: 6000, height: 4000 });
    const sizes: number[][] = [];
    const context = {
      fillRect: () => undefined,
      drawImage: () => undefined,
      getImageData: (...box: number[]) => (sizes.push(box), {}),
    };
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
    choose(imageFile());
    await screen.findByText(/^There is no QR code/);
    expect(sizes).toEqual([
      [0, 0, 1600, 1067],
      [0, 0, 3200, 2133],
    ]);
  });

  it.each([
    ['is of another type', 'application/pdf', true],
    ['cannot be unpacked', 'image/png', false],
  ])('is refused when it %s', async (_name, type, isImage) => {
    await open();
    picture.isImage = isImage;
    choose(imageFile(type));
    await screen.findByText('This file is not an image that can be read.');
  });
});
