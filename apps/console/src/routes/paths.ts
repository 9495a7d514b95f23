/** Every address of this app, below `/console`. */
export const BASE_PATH = '/console';

export const paths = {
  home: '/',
  invite: '/invite',
  me: '/me',
  audit: '/audit',
  auditEntry: (id: number | string) => `/audit/${id}`,
  staff: '/staff',
  staffMember: (id: string) => `/staff/${id}`,
  roles: '/roles',
} as const;
