// @vitest-environment jsdom
import { cleanup, configure, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Button } from '../primitives/button.tsx';
import { ConfirmDialog, Dialog } from './dialog.tsx';

// Instead of 1 s, which a busy machine may need.
configure({ asyncUtilTimeout: 10_000 });

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function Page(props: { onClose: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Open</Button>
      <Dialog
        isOpen={isOpen}
        title="Order preview"
        description="What it costs"
        onClose={() => {
          props.onClose();
          setIsOpen(false);
        }}
        actions={<Button>Purchase</Button>}
      />
    </>
  );
}

const backdrop = (): Element => {
  const found = document.querySelector('[data-part=backdrop]');
  if (found === null) throw new Error('no backdrop');
  return found;
};

/** More than the two taps of a double tap are apart. */
const waitForNextTap = () => {
  const now = performance.now() + 500;
  vi.spyOn(performance, 'now').mockReturnValue(now);
};

describe('Dialog', () => {
  it('has a name and a description', async () => {
    render(<Page onClose={vi.fn()} />);
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    expect(
      screen.getByRole('dialog', { name: 'Order preview', description: 'What it costs' }),
    ).toBeDefined();
  });

  it('moves the focus to its controls and returns it on closing', async () => {
    render(<Page onClose={vi.fn()} />);
    const opener = screen.getByRole('button', { name: 'Open' });
    await userEvent.click(opener);
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Purchase' })),
    );
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(opener));
  });

  it.each([
    ['Esc', () => userEvent.keyboard('{Escape}')],
    ['a click on the backdrop', () => userEvent.click(backdrop())],
    ['its cross', () => userEvent.click(screen.getByRole('button', { name: 'Close' }))],
  ])('closes by %s', async (_, close) => {
    const handleClose = vi.fn();
    render(<Page onClose={handleClose} />);
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    waitForNextTap();
    await close();
    expect(handleClose).toHaveBeenCalledOnce();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('stays open after a double tap on what opens it, whose second half lands on the backdrop', async () => {
    const handleClose = vi.fn();
    render(<Page onClose={handleClose} />);
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    await userEvent.click(backdrop());
    expect(handleClose).not.toHaveBeenCalled();
    expect(screen.getByRole('dialog', { name: 'Order preview' })).toBeDefined();
  });

  it('cannot be closed without onClose', async () => {
    render(<Dialog isOpen title="Trying to reconnect" />);
    await userEvent.keyboard('{Escape}');
    await userEvent.click(backdrop());
    expect(screen.getByRole('dialog', { name: 'Trying to reconnect' })).toBeDefined();
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('ConfirmDialog', () => {
  const renderConfirm = () => {
    const handlers = { onConfirm: vi.fn(), onCancel: vi.fn() };
    render(
      <ConfirmDialog
        isOpen
        isDanger
        title="Delete Contact"
        text='Delete "Mia" from contacts list?'
        confirmLabel="Delete"
        {...handlers}
      />,
    );
    return handlers;
  };

  it('offers two buttons', async () => {
    const { onConfirm, onCancel } = renderConfirm();
    expect(screen.getByText('Delete "Mia" from contacts list?')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
    expect(onConfirm).toHaveBeenCalledOnce();
    expect(onCancel).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onCancel).toHaveBeenCalledOnce();
  });

  it('focuses the button that changes nothing', async () => {
    renderConfirm();
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' })),
    );
  });
});
