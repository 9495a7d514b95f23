import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import X from 'lucide-react/icons/x';
import { useEffect, useRef } from 'react';
import type { ReactNode, RefObject } from 'react';
import { m } from '@athos/messages/messages';
import { Button } from '../primitives/button.tsx';
import { classNames } from '../primitives/class-names.ts';
import { iconButtonClass } from '../primitives/icon-button.tsx';

export interface DialogProps {
  isOpen: boolean;
  /** Called on the backdrop, Esc or the close button. Without it only the dialog's own buttons close it. */
  onClose?: (() => void) | undefined;
  title: string;
  isTitleHidden?: boolean;
  /** Announced with the title when the dialog opens. */
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, side by side if there is room, with the primary one last. */
  actions?: ReactNode;
  /** Focused when the dialog opens, instead of its first control. */
  focusFirst?: RefObject<HTMLElement | null> | undefined;
  /** Returns the element to focus after closing, or `null` for the opener. For a dialog that may remove its opener. */
  focusAfter?: (() => HTMLElement | null) | undefined;
  /** Shows a cross in the corner. Defaults to whether there is an `onClose`. */
  hasCloseButton?: boolean;
}

/** The second half of a double tap that opened the dialog lands on its backdrop and must not close it again. */
const DOUBLE_TAP_MS = 500;

/** Buttons have the same width, regardless of their labels. A reason below one does not stretch the other. */
const actionsClass =
  'small:flex-row small:items-start small:*:basis-0 flex flex-col-reverse gap-3 *:grow';

const descriptionClass = 'text-body text-ink-quiet wrap-anywhere';

/** Returns whether the dialog was opened so recently that a press on its backdrop may belong to a double tap. */
function useDoubleTap(isOpen: boolean): () => boolean {
  const openedAtMs = useRef(0);
  useEffect(() => {
    if (isOpen) openedAtMs.current = performance.now();
  }, [isOpen]);
  return () => performance.now() - openedAtMs.current < DOUBLE_TAP_MS;
}

/**
 * A modal: a bottom sheet on a phone, a centred card on larger screens. It traps the focus and returns it. It loads Base
 * UI, so load the file that uses it with `lazy(() => import(…))`.
 */
export function Dialog(props: DialogProps) {
  const { onClose, title, isTitleHidden, description, children, actions } = props;
  const { focusFirst, focusAfter } = props;
  const hasCloseButton = props.hasCloseButton ?? onClose !== undefined;
  const isDoubleTap = useDoubleTap(props.isOpen);
  return (
    <BaseDialog.Root
      open={props.isOpen}
      disablePointerDismissal={onClose === undefined}
      onOpenChange={(isOpen, { reason }) => {
        if (!isOpen && !(reason === 'outside-press' && isDoubleTap())) onClose?.();
      }}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop
          data-part="backdrop"
          className="bg-scrim fixed inset-0 z-40 select-none transition-opacity duration-200 ease-out data-ending-style:opacity-0 data-starting-style:opacity-0"
        />
        <BaseDialog.Viewport className="small:items-center small:p-6 fixed inset-0 z-40 flex items-end justify-center overflow-y-auto select-none">
          <BaseDialog.Popup
            {...(focusFirst !== undefined && { initialFocus: focusFirst })}
            {...(focusAfter !== undefined && { finalFocus: () => focusAfter() ?? true })}
            className={classNames(
              'small:max-w-dialog bg-raised relative select-text text-ink shadow-raised flex max-h-full w-full flex-col gap-5 overflow-y-auto p-6 outline-none',
              'small:rounded-large rounded-t-large transition-[opacity,translate] duration-200 ease-out pb-[max(1.5rem,env(safe-area-inset-bottom))]',
              'data-ending-style:translate-y-4 data-ending-style:opacity-0 data-starting-style:translate-y-4 data-starting-style:opacity-0',
            )}
          >
            <div
              className={classNames(
                'flex items-start gap-3',
                hasCloseButton && 'pr-10',
                isTitleHidden && description === undefined && 'sr-only',
              )}
            >
              <div className="flex min-w-0 grow flex-col gap-2">
                <BaseDialog.Title
                  className={
                    isTitleHidden
                      ? 'sr-only'
                      : 'font-display text-title pt-1 font-bold text-balance'
                  }
                >
                  {title}
                </BaseDialog.Title>
                {description !== undefined && (
                  <BaseDialog.Description className={descriptionClass} render={<div />}>
                    {description}
                  </BaseDialog.Description>
                )}
              </div>
            </div>
            {children}
            {actions !== undefined && <div className={actionsClass}>{actions}</div>}
            {/* Last in order, so that the focus starts at the dialog's own controls. */}
            {hasCloseButton && (
              <BaseDialog.Close
                aria-label={m.common_close()}
                title={m.common_close()}
                className={classNames(iconButtonClass(), 'absolute top-4 right-4')}
              >
                <X size={20} aria-hidden />
              </BaseDialog.Close>
            )}
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

export interface ConfirmDialogProps {
  isOpen: boolean;
  title: string;
  /** The question. Hide the title if it says the same. */
  text?: ReactNode;
  isTitleHidden?: boolean;
  confirmLabel: string;
  cancelLabel?: string;
  onConfirm: () => void;
  onCancel: () => void;
  isDanger?: boolean;
  isPending?: boolean;
  focusAfter?: DialogProps['focusAfter'];
}

/** A question with two buttons. Backdrop and Esc cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog
      isOpen={props.isOpen}
      onClose={props.onCancel}
      title={props.title}
      isTitleHidden={props.isTitleHidden ?? false}
      hasCloseButton={false}
      focusAfter={props.focusAfter}
      description={props.text}
      actions={
        <>
          <Button variant="quiet" isWide onClick={props.onCancel}>
            {props.cancelLabel ?? m.common_cancel()}
          </Button>
          <Button
            variant={props.isDanger ? 'danger' : 'primary'}
            isWide
            isPending={props.isPending}
            onClick={props.onConfirm}
          >
            {props.confirmLabel}
          </Button>
        </>
      }
    />
  );
}
