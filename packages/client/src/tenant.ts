/** Spec 6: the tenant is fixed at 1 and the mode is production. */
export const TENANT = { tenant_id: 1, mode: 'production' } as const;
