import type { Organisation } from '@athos/contract/console/staff';
import { m } from '@athos/messages/messages';

export const ORGANISATION_TITLES: Readonly<Record<Organisation, () => string>> = {
  provider: m.console_organisation_provider,
  brand: m.console_organisation_brand,
};
