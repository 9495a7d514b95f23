/** Spec 4: after a reset, sign-in opens with an update flag in the navigation state. */
export const PASSWORD_RESET_STATE = { update: true } as const;

export const isPasswordReset = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'update' in state && state.update === true;
