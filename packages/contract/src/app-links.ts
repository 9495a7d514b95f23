/**
 * The addresses of the wallet that open the app where it is installed: links of mails and of reward codes. The API names
 * them to Apple and Google, the apps take no others.
 */
export const APP_LINK_PATHS = [
  '/auth/verify-account',
  '/auth/reset-password',
  '/app/redeem',
] as const;
