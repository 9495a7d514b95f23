/** Written by `npm run routes -w packages/contract` from src/scanner/calls.ts. */
export const scannerRoutes = {
  login: 'POST /account/login',
  refreshJwt: 'GET /account/refresh_jwt',
  logout: 'POST /account/logout',
  offlinePack: 'GET /scanner/offline/pack',
  offlineSync: 'POST /scanner/offline/sync',
  scannerVenues: 'GET /scanner/venues',
  scannerScan: 'POST /scanner/scan',
  scannerRedeem: 'POST /scanner/redeem',
  scannerEnrol: 'POST /scanner/device',
  scannerScans: 'GET /scanner/scans',
} as const;
