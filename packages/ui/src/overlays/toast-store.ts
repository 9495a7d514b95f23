/** Spec 9: the only toast durations. */
export type ToastDurationMs = 3000 | 4000 | 5000;
export type ToastKind = 'info' | 'success' | 'danger';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: ToastKind;
  readonly durationMs: ToastDurationMs;
  /** How often the message was shown again while it was visible. */
  readonly count: number;
}

export interface ToastStore {
  show: (kind: ToastKind, text: string, durationMs: ToastDurationMs) => void;
  dismiss: (id: number) => void;
  /** Stops all timers while the pointer rests on a toast. */
  pause: () => void;
  /** Restarts all timers from the beginning. */
  resume: () => void;
  clear: () => void;
  read: () => readonly Toast[];
  subscribe: (listener: () => void) => () => void;
}

/** More would cover the screen, so the oldest toast is removed. */
const TOAST_COUNT_MAX = 4;

/** A store outside React, so that any code can show a toast. Identical messages merge into one with a count (spec 2). */
export function createToastStore(): ToastStore {
  let toasts: readonly Toast[] = [];
  let nextId = 1;
  let isPaused = false;
  const timers = new Map<number, ReturnType<typeof setTimeout>>();
  const listeners = new Set<() => void>();

  const update = (next: readonly Toast[]): void => {
    toasts = next;
    for (const listener of listeners) listener();
  };
  const stopClock = (id: number): void => {
    clearTimeout(timers.get(id));
    timers.delete(id);
  };
  const dismiss = (id: number): void => {
    stopClock(id);
    update(toasts.filter((toast) => toast.id !== id));
    if (toasts.length === 0) isPaused = false;
  };
  const startClock = (toast: Toast): void => {
    stopClock(toast.id);
    if (isPaused) return;
    timers.set(
      toast.id,
      setTimeout(() => dismiss(toast.id), toast.durationMs),
    );
  };

  return {
    show(kind, text, durationMs) {
      const same = toasts.find((toast) => toast.text === text);
      const shown: Toast =
        same === undefined
          ? { id: nextId++, kind, text, durationMs, count: 1 }
          : { ...same, kind, durationMs, count: same.count + 1 };
      update(
        same === undefined
          ? [...toasts, shown]
          : toasts.map((toast) => (toast.id === shown.id ? shown : toast)),
      );
      startClock(shown);
      const [oldest] = toasts;
      if (toasts.length > TOAST_COUNT_MAX && oldest !== undefined) dismiss(oldest.id);
    },
    dismiss,
    pause() {
      isPaused = true;
      for (const toast of toasts) stopClock(toast.id);
    },
    resume() {
      isPaused = false;
      for (const toast of toasts) startClock(toast);
    },
    clear() {
      for (const toast of toasts) stopClock(toast.id);
      isPaused = false;
      update([]);
    },
    read: () => toasts,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The app's toasts. */
export const toasts: ToastStore = createToastStore();
