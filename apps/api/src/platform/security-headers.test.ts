import { expect, it } from 'vitest';
import { securityHeaders } from './security-headers.ts';

const config = {
  isProduction: false,
  stripe: { apiUrl: 'https://api.stripe.com', scriptUrl: 'https://js.stripe.com/endive/stripe.js' },
  analyticsUrl: undefined,
};

it('tells browsers in production to come by TLS for a year, also to names below this one', () => {
  expect(securityHeaders({ ...config, isProduction: true })['strict-transport-security']).toBe(
    'max-age=31536000; includeSubDomains',
  );
  expect(securityHeaders(config)['strict-transport-security']).toBeUndefined();
});

it('says no word of what answers, and frames no page of ours elsewhere', () => {
  const headers = securityHeaders(config);
  expect(headers['x-powered-by']).toBeUndefined();
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  expect(headers['cross-origin-resource-policy']).toBe('same-origin');
});
