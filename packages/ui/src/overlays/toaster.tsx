import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import Info from 'lucide-react/icons/info';
import X from 'lucide-react/icons/x';
import { useRef, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { m } from '@athos/messages/messages';
import { classNames } from '../primitives/class-names.ts';
import { IconButton } from '../primitives/icon-button.tsx';
import { useClearPlace } from './clear-place.ts';
import { toasts } from './toast-store.ts';
import type { Toast, ToastKind, ToastStore } from './toast-store.ts';

const KINDS: Record<ToastKind, { icon: ReactNode; name: () => string; colour: string }> = {
  info: { icon: <Info size={20} aria-hidden />, name: m.common_toast_info, colour: 'text-info' },
  success: {
    icon: <CircleCheck size={20} aria-hidden />,
    name: m.common_toast_success,
    colour: 'text-success',
  },
  danger: {
    icon: <CircleAlert size={20} aria-hidden />,
    name: m.common_toast_danger,
    colour: 'text-danger',
  },
};

/** Spec 2: toasts at the top of the screen. Mount it once and keep it mounted: a live region must exist before its text. */
export function Toaster({ store = toasts }: { store?: ToastStore }) {
  const shown = useSyncExternalStore(store.subscribe, store.read);
  const list = useRef<HTMLOListElement>(null);
  const offset = useClearPlace(list, shown);
  return (
    <section
      aria-label={m.common_toast_region()}
      className="rail:justify-end pointer-events-none fixed inset-x-0 top-0 z-50 flex justify-center px-[max(0.75rem,env(safe-area-inset-left),env(safe-area-inset-right))] pt-[calc(0.75rem+env(safe-area-inset-top))]"
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hovering only pauses the toast's timer */}
      <ol
        ref={list}
        style={{ translate: `0 ${offset}px` }}
        aria-live="polite"
        aria-relevant="additions text"
        className="max-w-toast flex w-full flex-col gap-2"
        onPointerEnter={store.pause}
        onPointerLeave={store.resume}
        onFocus={store.pause}
        onBlur={store.resume}
      >
        {shown.map((toast) => (
          <ToastItem key={toast.id} toast={toast} onDismiss={() => store.dismiss(toast.id)} />
        ))}
      </ol>
    </section>
  );
}

function ToastItem(props: { toast: Toast; onDismiss: () => void }) {
  const { text, kind, count } = props.toast;
  const { icon, name, colour } = KINDS[kind];
  return (
    <li className="animate-toast rounded-medium bg-raised shadow-toast inset-ring-line pointer-events-auto flex flex-wrap items-center gap-x-3 py-1.5 pr-1.5 pl-4 inset-ring">
      <span className={classNames('shrink-0', colour)}>{icon}</span>
      <p
        role={kind === 'danger' ? 'alert' : undefined}
        className="text-body min-w-0 flex-[1_1_8rem] py-1.5 font-medium wrap-anywhere"
      >
        <span className="sr-only">{`${name()}: `}</span>
        <span>{text}</span>
      </p>
      {count > 1 && (
        <span
          key={count}
          className="animate-pop rounded-pill bg-primary text-primary-ink text-caption tabular min-w-6 px-2 py-0.5 text-center font-bold"
        >
          <span aria-hidden="true">{count}</span>
          <span className="sr-only">{m.common_toast_count({ count })}</span>
        </span>
      )}
      <IconButton
        label={m.common_toast_dismiss()}
        icon={<X size={18} aria-hidden />}
        onClick={props.onDismiss}
      />
    </li>
  );
}
