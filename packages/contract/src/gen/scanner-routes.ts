/** Written by `npm run routes -w packages/contract` from src/scanner/calls.ts. */
export const scannerRoutes = {
  login: 'POST /account/login',
  refreshJwt: 'GET /account/refresh_jwt',
  logout: 'POST /account/logout',
  scannerVenues: 'GET /scanner/venues',
  scannerScan: 'POST /scanner/scan',
  scannerRedeem: 'POST /scanner/redeem',
  scannerEnrol: 'POST /scanner/enrol',
  scannerScans: 'GET /scanner/scans',
} as const;
