// @vitest-environment jsdom
import { QR_ITEMS_MAX, QR_VERSION, signedQrText } from '@athos/domain/qr-payload';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { contrast } from '@athos/domain/colour';
import { QrCode } from './qr-code.tsx';

afterEach(cleanup);

const fills = (code: HTMLElement) =>
  [...code.querySelectorAll('path')].map((path) => path.getAttribute('fill'));

describe('QrCode', () => {
  it('[S9-009] has size 260', () => {
    render(<QrCode value="hello" label="Account" />);
    const code = screen.getByRole('img', { name: 'Account' });
    expect(code.getAttribute('width')).toBe('260');
    expect(code.getAttribute('height')).toBe('260');
  });

  it('[S9-010] is black on white with the logo in the middle', () => {
    const { container } = render(<QrCode value="hello" />);
    expect(fills(screen.getByRole('img'))).toEqual(['#ffffff', '#000000']);
    const [code, logo, ...more] = container.querySelectorAll('svg');
    expect(code).toBe(screen.getByRole('img'));
    expect(more).toEqual([]);
    // The logo covers the whole code and is centred by its margins.
    const place = logo?.parentElement?.classList;
    for (const name of ['absolute', 'inset-0', 'm-auto']) expect(place).toContain(name);
  });

  it('[S9-010] omits the logo from a code that has no room for it', () => {
    const { container } = render(<QrCode value="hello" hasLogo={false} />);
    expect(container.querySelectorAll('svg')).toHaveLength(1);
  });

  it("[D-117] [S2-070] takes a tier's colour, dark enough to scan", () => {
    render(<QrCode value="hello" colour="#d9a935" />);
    const [ground = '', ink = ''] = fills(screen.getByRole('img'));
    expect(ground).toBe('#ffffff');
    expect(ink).not.toBe('#000000');
    expect(contrast(ink ?? '', '#ffffff')).toBeGreaterThanOrEqual(9);
  });

  it.each([
    [1, true, 57],
    [10, true, 65],
    [QR_ITEMS_MAX, false, 81],
  ])(
    'fits a signed code of %i items, logo: %s, in modules of at least 3.2 px',
    (count, hasLogo, moduleCountMax) => {
      // Ids of seven digits: ten million items sold.
      const i = Array.from({ length: count }, (_, index) => 9_999_959 + index);
      const a = '0192aaaa-0000-7000-8000-000000000001';
      const d = { a, t: 1_763_700_000_000, v: QR_VERSION, i };
      // An Ed25519 signature in base64url.
      const value = signedQrText({ t: 'purchase', d }, 'A'.repeat(86));
      render(<QrCode value={value} hasLogo={hasLogo} />);
      const moduleCount = screen.getByRole('img').getAttribute('viewBox')?.split(' ')[2];
      expect(Number(moduleCount)).toBeLessThanOrEqual(moduleCountMax);
    },
  );

  it('changes with its value', () => {
    const { rerender } = render(<QrCode value="one" />);
    const before = screen.getByRole('img').innerHTML;
    rerender(<QrCode value="two" />);
    expect(screen.getByRole('img').innerHTML).not.toBe(before);
  });
});
