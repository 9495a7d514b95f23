import type { LegalText } from './types.ts';

export const terms: LegalText = {
  version: '1.0',
  inForceSince: '2026-11-01',
  title: 'Terms of Service',
  intro:
    'These terms are the agreement between you and Athos Beverages Ltd. about Athos Rewards and the wallet in this app. The wallet is operated for us by Meridian Pay Inc. By creating an account you accept them.',
  sections: [
    {
      heading: 'Your account',
      paragraphs: [
        'You may open one account if you are at least 18 years old. The email address you give must be yours; we verify it before the account can be used.',
        'Keep your password to yourself. What is done with your sign-in counts as done by you until you tell us that somebody else has it. Write to support@athos.example at once if you believe so: we can end all sessions within minutes.',
      ],
    },
    {
      heading: 'What ATH is',
      paragraphs: [
        'ATH, ATH2 and ATH3 are tokens of the rewards programme. They are recorded in our ledger, can be sent to other members, and can be spent on what the marketplace offers. They are not legal tender, not a bank deposit, not an investment, and they bear no interest.',
        'The US dollar value shown beside an amount is an approximation at the current rate. We do not buy tokens back.',
      ],
    },
    {
      heading: 'Buying',
      paragraphs: [
        'You can buy ATH by card for a price between 10 and 95,000 US dollars. A programme fee of 5 percent and a processing fee of 6 percent are added to the price; you see price, fees and total before you pay.',
        'The rate you saw in the preview holds for five minutes. Tokens are credited when the card provider confirms the payment. If a payment is not confirmed, nothing is charged, or the charge is released by your bank.',
      ],
    },
    {
      heading: 'Sending',
      paragraphs: [
        'A sending is final as soon as the app confirms it. Check the account ID before you send: we cannot take tokens back from another member. Repeating a sending after a lost connection never sends twice.',
      ],
    },
    {
      heading: 'Rewards, purchases and tiers',
      paragraphs: [
        'Offers come from us and from partners named in the offer. An offer is redeemed when an authorized scanner reads the code on your screen; what has been redeemed cannot be redeemed again. Event offers are valid on the date stated.',
        'Your tier follows from the ATH you hold at the moment. We may change the tiers and their benefits, and tell you in the app thirty days before.',
      ],
    },
    {
      heading: 'Fair use',
      paragraphs: [
        'Do not use the wallet for another person, for unlawful purposes, or with a card that is not yours. We may pause an account while we look into such use, and we tell you unless the law forbids it.',
        'If your bank reverses a card payment, the tokens bought with it are taken back. If they are already spent, the account is limited until the amount is made good.',
      ],
    },
    {
      heading: 'Ending',
      paragraphs: [
        'You can delete your account in the settings at any time. Deleting it forfeits the remaining balance and cannot be undone. We may end the programme with ninety days of notice; until then you can spend your balance.',
      ],
    },
    {
      heading: 'Liability and law',
      paragraphs: [
        'We are liable without limit for intent and gross negligence and for harm to life and health, and otherwise for foreseeable damage only. Your rights as a consumer remain as they are.',
        'The law of the State of Delaware applies, without taking away the protection of the law of the place where you live.',
      ],
    },
    {
      heading: 'Changes',
      paragraphs: [
        'When these terms change we ask you again, and keep the version and time of what you accepted. Questions: support@athos.example, or Athos Beverages Ltd., 12 Harbour Row, Wilmington, DE 19801, USA.',
      ],
    },
  ],
};
