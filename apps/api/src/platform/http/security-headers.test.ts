import { expect, it } from 'vitest';
import { securityHeaders } from './security-headers.ts';

const config = {
  isProduction: false,
  stripe: { apiUrl: 'https://api.stripe.com', scriptUrl: 'https://js.stripe.com/endive/stripe.js' },
  analyticsUrl: undefined,
  inline: { scripts: [], styles: [] },
};

it('in production tells browsers to use TLS for a year, including subdomains', () => {
  for (const headers of Object.values(securityHeaders({ ...config, isProduction: true }))) {
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  }
  for (const headers of Object.values(securityHeaders(config))) {
    expect(headers['strict-transport-security']).toBeUndefined();
  }
});

it('names no server software, and lets no other site frame our pages', () => {
  const { page, data } = securityHeaders(config);
  expect(page['x-powered-by']).toBeUndefined();
  expect(page['cross-origin-opener-policy']).toBe('same-origin');
  for (const headers of [page, data]) {
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  }
});
