/** Spec 4: a reset leads to the sign-in with an update state flag, kept in the navigation's state. */
export const PASSWORD_RESET_STATE = { update: true } as const;

export const isPasswordReset = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'update' in state && state.update === true;
