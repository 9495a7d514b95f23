import type { Brand } from './types.ts';

/** The tiers page of the product's website, with the user's uuid for tracking (D-120). */
export function tiersPageUrl(brand: Brand, userUuid: string): string {
  const { siteUrl, tracking } = brand.links;
  const query = new URLSearchParams({
    utm_source: tracking.source,
    utm_medium: tracking.medium,
    utm_campaign: tracking.tiersCampaign,
    uid: userUuid,
  });
  return `${siteUrl}/tiers?${query.toString()}`;
}
