import { colours } from './colours.ts';
import { athosMark, driveMark, liveMark, meridianMark } from './marks.ts';
import type { Brand } from './types.ts';

/** The demo brand. For another brand, replace the files of this folder and nothing else. */
export const brand: Brand = {
  productSlug: 'athos',
  name: 'Athos',
  programmeName: 'Athos Rewards',
  tagline: 'Drinks, nights and engines',
  legalName: 'Athos Beverages Ltd.',
  postalAddress: '12 Harbour Row, Wilmington, DE 19801, USA',
  supportAddress: 'support@athos.example',
  mailSenderName: 'Athos Rewards',
  provider: {
    name: 'Meridian Pay',
    legalName: 'Meridian Pay Inc.',
    siteUrl: 'https://meridianpay.example',
    logo: meridianMark,
  },
  tokens: [
    {
      code: 'ATH',
      symbol: 'ATH',
      word: 'Ath',
      name: 'Athos',
      icon: athosMark,
      discColour: '#ff9a4d',
      glyphColour: '#1d0d14',
    },
    {
      code: 'ATH2',
      symbol: 'ATH2',
      word: 'Ath2',
      name: 'Athos Live',
      icon: liveMark,
      discColour: '#b79cff',
      glyphColour: '#170b33',
    },
    {
      code: 'ATH3',
      symbol: 'ATH3',
      word: 'Ath3',
      name: 'Athos Drive',
      icon: driveMark,
      discColour: '#5fd0c5',
      glyphColour: '#062421',
    },
  ],
  logo: athosMark,
  links: {
    siteUrl: 'https://athos.example',
    termsUrl: 'https://athos.example/terms',
    privacyUrl: 'https://athos.example/privacy',
    userDataDeletionUrl: 'https://athos.example/user-data-deletion',
    tracking: { source: 'wallet', medium: 'app', tiersCampaign: 'tiers' },
  },
  app: { id: 'example.athos.wallet', walletUrl: 'https://wallet.athos.example' },
  colours,
};

/** The token used to buy and to tip, and the only one that counts for tiers. */
export const mainToken = brand.tokens[0];
