import { useEffect, useId, useRef } from 'react';
import type { ReactNode } from 'react';

interface ModalProps {
  title: string;
  text: ReactNode;
  /** Omitted if the user can only wait. */
  action?: ReactNode;
  /** `alertdialog` is announced at once, for modals that cannot be closed. */
  role?: 'dialog' | 'alertdialog';
}

/**
 * A modal over the whole page that cannot be dismissed. It uses the browser's own dialog, because the one of
 * `packages/ui` is loaded on first use, which fails without a connection.
 */
export function Modal({ title, text, action, role = 'alertdialog' }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    element.showModal();
    return () => element.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      // Esc must not close it.
      onCancel={(event) => event.preventDefault()}
      className="bg-raised text-ink shadow-raised rounded-large max-w-dialog backdrop:bg-scrim animate-enter m-auto w-[calc(100%-2rem)] p-6 text-center outline-none"
    >
      <div className="flex flex-col gap-4">
        <h2 id={`${id}-title`} className="font-display text-title font-bold text-balance">
          {title}
        </h2>
        <div id={`${id}-text`} className="text-body text-ink-quiet text-pretty">
          {text}
        </div>
        {action}
      </div>
    </dialog>
  );
}
