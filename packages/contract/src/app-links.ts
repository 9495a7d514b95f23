/**
 * Paths of the wallet that open the installed app: links in mails, reward codes and pay links. The API publishes them to Apple and
 * Google, and the apps handle no other paths.
 */
export const APP_LINK_PATHS = [
  '/auth/verify-account',
  '/auth/reset-password',
  '/app/redeem',
  '/app/pay',
] as const;
