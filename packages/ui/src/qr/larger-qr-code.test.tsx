// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LargerQrCode } from './larger-qr-code.tsx';

/** jsdom does not support full-screen dialogs. */
beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function open() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
    this.dispatchEvent(new Event('close'));
  };
});
afterEach(cleanup);

const larger = () => screen.getByRole('button', { name: 'Larger' });

it('[W-057] shows the code up to 480 px wide on white, and the same size as before when it is closed', () => {
  const { rerender } = render(<LargerQrCode value="one" label="Purchase" />);
  expect(screen.getByRole('img', { name: 'Purchase' }).getAttribute('width')).toBe('260');
  fireEvent.click(larger());
  const dialog = screen.getByRole('dialog', { name: 'Purchase' });
  expect(dialog.classList).toContain('bg-qr-ground');
  const code = within(dialog).getByRole('img', { name: 'Purchase' });
  expect(code.getAttribute('width')).toBe('480');
  const before = code.innerHTML;
  rerender(<LargerQrCode value="two" label="Purchase" />);
  expect(within(dialog).getByRole('img').innerHTML).not.toBe(before);
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});
