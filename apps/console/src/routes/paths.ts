/** Every address of this app, below `/console`. */
export const BASE_PATH = '/console';

export const paths = {
  home: '/',
  invite: '/invite',
  me: '/me',
  customers: '/customers',
  customer: (uuid: string) => `/customers/${uuid}`,
  purchases: '/purchases',
  purchase: (id: number | string) => `/purchases/${id}`,
  redemptions: '/redemptions',
  redemption: (id: number | string) => `/redemptions/${id}`,
  approvals: '/approvals',
  approval: (id: string) => `/approvals/${id}`,
  ledgerAccounts: '/ledger/accounts',
  ledgerAccount: (id: string) => `/ledger/accounts/${id}`,
  ledgerTransfers: '/ledger/transfers',
  ledgerTransfer: (id: string) => `/ledger/transfers/${id}`,
  trialBalance: '/ledger/trial-balance',
  ledgerChain: '/ledger/chain',
  exports: '/exports',
  audit: '/audit',
  auditEntry: (id: number | string) => `/audit/${id}`,
  staff: '/staff',
  staffMember: (id: string) => `/staff/${id}`,
  roles: '/roles',
} as const;
