import { deletion } from './deletion.ts';
import { privacy } from './privacy.ts';
import { terms } from './terms.ts';
import type { BrandLegal } from './types.ts';

export const legal: BrandLegal = { terms, privacy, deletion };
