import { brand } from '@athos/brand/brand';
import type { TokenAsset } from '@athos/domain/money';

export const symbolOf = (asset: TokenAsset): string =>
  brand.tokens.find(({ code }) => code === asset)?.symbol ?? asset;
