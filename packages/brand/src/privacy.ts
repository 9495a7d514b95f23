import type { LegalText } from './types.ts';

export const privacy: LegalText = {
  version: '1.0',
  inForceSince: '2026-11-01',
  title: 'Privacy Policy',
  intro:
    'Athos Beverages Ltd. is responsible for the data in Athos Rewards. Meridian Pay Inc. processes it for us to run the wallet. We collect what the wallet needs, and sell none of it.',
  sections: [
    {
      heading: 'What we keep',
      paragraphs: [
        'Your email address, a hash of your password, the version and time of the terms you accepted, and your account ID.',
        'Every movement of your tokens: amount, time, counterparty, and what was bought. These rows carry a number, not your name.',
        'For security: the time, network address and kind of device of sign-ins, for 90 days.',
        'Contacts you save are kept on your device, and encrypted with us so that your other devices show them. Nobody else sees them, and they are erased with your account.',
      ],
    },
    {
      heading: 'Card payments',
      paragraphs: [
        'Card numbers go straight from your device to the card provider. We never see or keep them. We receive whether a payment succeeded, its amount, and the identifier the provider gave it.',
      ],
    },
    {
      heading: 'Why we keep it',
      paragraphs: [
        'To run the wallet you asked for, to keep it safe, and to meet the law on bookkeeping and on money laundering. We send you emails about your account; they contain no advertising.',
      ],
    },
    {
      heading: 'Who else sees it',
      paragraphs: [
        'The card provider for payments, our email provider for the emails, and a venue when you show your code there: it sees the items and your tier, not your email address. Authorities receive data only where the law demands it.',
        'Links to our website carry your account ID, so that it can show your tiers. If you allow it, Plausible Analytics counts for us which kinds of pages are opened, without cookies, your account ID or your email address.',
      ],
    },
    {
      heading: 'How long',
      paragraphs: [
        'Until you delete your account. Then your personal data is erased within minutes. Movements of tokens remain for at least ten years under a number that no longer leads to you, because the books must stay complete. Data held by third parties, such as the card provider, may remain with them under their own rules.',
      ],
    },
    {
      heading: 'Your rights',
      paragraphs: [
        'You can see, correct, take with you and delete your data, and object to its use. Write to support@athos.example; we answer within 30 days. You may also complain to the authority for data protection where you live.',
      ],
    },
  ],
};
