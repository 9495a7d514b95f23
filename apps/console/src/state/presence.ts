/** Whether somebody is using this page, by what they press, type and scroll, and when that was last told to the server. */

const INPUT_EVENTS = ['keydown', 'pointerdown', 'input', 'wheel'] as const;
/** A call this soon after an input was asked for by a person. */
const PRESENT_MS = 60_000;

let lastInputMs = 0;
let lastCallMs = 0;

export const isSomebodyPresent = (): boolean => Date.now() - lastInputMs < PRESENT_MS;

/** When somebody's last call was sent that had an answer, by the server's clock. */
export const lastCallAtMs = (): number => lastCallMs;

/** `atMs`: the time of a call of this tab, or of another one that the server told of, by the server's clock. */
export function noteCall(atMs: number): void {
  if (atMs > lastCallMs) lastCallMs = atMs;
}

/** Follows the inputs until the returned function is called. Loading the page counts as one. */
export function followPresence(): () => void {
  const note = (): void => void (lastInputMs = Date.now());
  note();
  lastCallMs = 0;
  for (const name of INPUT_EVENTS) addEventListener(name, note, { capture: true, passive: true });
  return () => {
    for (const name of INPUT_EVENTS) removeEventListener(name, note, true);
  };
}
