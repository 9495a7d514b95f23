const ID = /^(?:.*=)?(\d{1,16})$/;

/** Spec 2: the numeric id after `=`, or a bare one. Falls back to the id in the navigation state. */
export function idOfAddress(segment: string | undefined, state: unknown): number | undefined {
  const digits = ID.exec(segment ?? '')?.[1];
  if (digits !== undefined) return Number(digits);
  const given = typeof state === 'object' && state !== null && 'id' in state ? state.id : undefined;
  return typeof given === 'number' && Number.isSafeInteger(given) ? given : undefined;
}
