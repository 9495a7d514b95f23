/** Spec 9: the only toast durations. */
export type ToastDurationMs = 3000 | 4000 | 5000;
export type ToastKind = 'info' | 'success' | 'danger';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: ToastKind;
  readonly durationMs: ToastDurationMs;
  /** The number of times the message was repeated while visible. */
  readonly count: number;
  /** The action that showed it, if it came from an attempt. */
  readonly action: string | undefined;
  /** Hidden by a new attempt of its action. */
  readonly isWithdrawn: boolean;
}

export type ShowToast = (kind: ToastKind, text: string, durationMs: ToastDurationMs) => void;

export interface ToastStore {
  show: ShowToast;
  /**
   * Begins an attempt of a named action and hides the messages of its earlier attempts at once. Returns the function that shows messages of
   * this attempt. A message that returns within its time still counts as a repetition (spec 2).
   */
  attempt: (action: string) => ShowToast;
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
  let shown: readonly Toast[] = [];
  let nextId = 1;
  let isPaused = false;
  const clocks = createClocks((id) => dismiss(id));
  const listeners = new Set<() => void>();

  const update = (next: readonly Toast[]): void => {
    toasts = next;
    shown = next.filter(({ isWithdrawn }) => !isWithdrawn);
    for (const listener of listeners) listener();
  };
  const run = (toast: Toast): void => {
    if (!isPaused) clocks.start(toast);
  };
  const resume = (): void => {
    isPaused = false;
    for (const toast of toasts) run(toast);
  };
  /** A toast that disappears under the pointer fires no leave event. */
  const resumeIfGone = (): void => {
    if (shown.length === 0 && isPaused) resume();
  };
  const dismiss = (id: number): void => {
    clocks.stop(id);
    update(toasts.filter((toast) => toast.id !== id));
    resumeIfGone();
  };

  const showFor =
    (action: string | undefined): ShowToast =>
    (kind, text, durationMs) => {
      const fields = { kind, text, durationMs, action, isWithdrawn: false };
      const same = toasts.find((toast) => toast.text === text);
      const { id, count } = same ?? { id: nextId++, count: 0 };
      const next: Toast = { ...fields, id, count: count + 1 };
      update(withToast(toasts, next));
      run(next);
      const [oldest] = shown;
      if (shown.length > TOAST_COUNT_MAX && oldest !== undefined) dismiss(oldest.id);
    };

  return {
    show: showFor(undefined),
    attempt(action) {
      update(withdraw(toasts, action));
      resumeIfGone();
      return showFor(action);
    },
    dismiss,
    pause() {
      isPaused = true;
      for (const toast of toasts) clocks.stop(toast.id);
    },
    resume,
    clear() {
      for (const toast of toasts) clocks.stop(toast.id);
      isPaused = false;
      update([]);
    },
    read: () => shown,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Replaces the toast of the same id in its place, or adds the toast at the end. */
const withToast = (toasts: readonly Toast[], next: Toast): readonly Toast[] =>
  toasts.some(({ id }) => id === next.id)
    ? toasts.map((toast) => (toast.id === next.id ? next : toast))
    : [...toasts, next];

const withdraw = (toasts: readonly Toast[], action: string): readonly Toast[] =>
  toasts.map((toast) => (toast.action === action ? { ...toast, isWithdrawn: true } : toast));

/** A timer for each toast, which starts over when it is started again. */
function createClocks(onEnd: (id: number) => void) {
  const timers = new Map<number, ReturnType<typeof setTimeout>>();
  const stop = (id: number): void => {
    clearTimeout(timers.get(id));
    timers.delete(id);
  };
  return {
    start({ id, durationMs }: Toast): void {
      stop(id);
      timers.set(
        id,
        setTimeout(() => onEnd(id), durationMs),
      );
    },
    stop,
  };
}

/** The app's toasts. */
export const toasts: ToastStore = createToastStore();
