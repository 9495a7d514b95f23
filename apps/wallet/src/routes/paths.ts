/** Every address of the app. No other file contains one. */

const withQuery = (path: string, query: Record<string, string>): string => {
  const text = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  return text.size === 0 ? path : `${path}?${text.toString()}`;
};

export const paths = {
  start: '/',

  auth: '/auth',
  getStarted: '/auth/get-started',
  choose: '/auth/choose',
  signUp: '/auth/sign-up',
  verifyAccount: '/auth/verify-account',
  signIn: '/auth/sign-in',
  /** `email`: the text in the sign-in form. */
  forgotPassword: (email = '') => withQuery('/auth/forgot-password', { email }),
  resetPassword: '/auth/reset-password',
  /** The links in the mails about recovering a lost second step. */
  recover: '/auth/recover',
  stopRecovery: '/auth/stop-recovery',
  /** The tickets that a phone keeps after a sign-out for inactivity. */
  keptTickets: '/auth/tickets',

  /** Open to everyone, signed in or not. */
  terms: '/terms',
  privacy: '/privacy',
  dataDeletion: '/user-data-deletion',
  /** The token of the link is in the fragment. */
  sharedReceipt: '/receipt',

  home: '/app',
  wallet: '/app/wallet',
  buy: '/app/buy',
  /** `missing`: the exact amount of ATH that a purchase lacks. `back`: the screen of that purchase, to which the user returns. */
  buyMissing: (missing: string, back: string) => withQuery('/app/buy', { amount: missing, back }),
  send: '/app/send',
  sendRecipient: '/app/send/recipient',
  sendSummary: '/app/send/summary',
  history: '/app/history',
  /** All links to a movement have this form. */
  historyItem: (id: number) => `/app/history/id=${id}`,
  receipt: (id: number) => `/app/history/id=${id}/receipt`,
  statements: '/app/statements',
  /** A pay link. */
  pay: (code: string) => withQuery('/app/pay', { code }),
  settings: '/app/settings',
  profile: '/app/settings/profile',
  security: '/app/settings/security',
  authenticator: '/app/settings/security/authenticator',
  recoveryCodes: '/app/settings/security/recovery-codes',
  passkeys: '/app/settings/security/passkeys',
  updatePassword: '/app/settings/update-password',
  deleteAccount: '/app/settings/delete-account',

  enterRewardCode: '/app/settings/reward-code',
  /** A reward link. */
  redeemReward: (code: string) => withQuery('/app/redeem', { code }),

  /** Prefix of categories and offers. It has no screen other than home. */
  marketplace: '/app/marketplace',
  category: (id: number) => `/app/marketplace/categories/${id}`,
  offer: ({ id, categoryId }: { id: number; categoryId: number }) =>
    `/app/marketplace/categories/${categoryId}/offers/${id}`,
  cart: '/app/cart',
  myPurchases: '/app/my-purchases',
  /** `itemId` limits it to one item. */
  redeemPurchase: (purchaseId: number, itemId?: number) =>
    withQuery(`/app/my-purchases/${purchaseId}/redeem`, {
      itemId: itemId === undefined ? '' : itemId.toString(),
    }),
  tiers: '/app/tiers',
} as const;
