import type { LegalText } from './types.ts';

export const deletion: LegalText = {
  version: '1.0',
  inForceSince: '2026-11-01',
  title: 'User Data Deletion Policy',
  intro:
    'You can delete your Athos Rewards account at any time, and the personal data in it with it. This page says how, what is erased, and what stays and why.',
  sections: [
    {
      heading: 'How to delete your account',
      paragraphs: [
        'In the wallet, open Settings, Delete Account, and confirm with your password. If you cannot sign in, write to support@athos.example from the email address of the account.',
        'An account is not deleted while a card payment is still open, while its balance is below zero, or while it is restricted. The wallet tells you which it is.',
      ],
    },
    {
      heading: 'What happens at once',
      paragraphs: [
        'Your password stops working, every session on every device ends, and your email address can be used for a new account.',
        'Your balance goes back to the programme. It is not paid out. Purchases that you have not redeemed are lost.',
      ],
    },
    {
      heading: 'What is erased',
      paragraphs: [
        'Your email address and the hash of your password, your sessions and the devices you signed in with, the contacts that your devices share, the name and words you wrote with tips, when and where you showed your codes, and what was noted about attempts to pay by card.',
        'This is done within minutes, by a job that is tried again until it has succeeded. Your email address is kept only until our last email to you is delivered, for three days at most.',
        'Contacts, cart and settings are erased from the device on which you delete the account.',
      ],
    },
    {
      heading: 'What stays, and why',
      paragraphs: [
        'Movements of tokens, purchases and card payments stay for at least ten years, because the books must stay complete. They carry a number that no longer leads to you. People you sent tokens to still see that movement with your former account ID.',
      ],
    },
    {
      heading: 'Data held by others',
      paragraphs: [
        'The card provider keeps its own records of your payments, and our email provider its records of delivery, under their own rules. People who saved your account ID as a contact keep it there.',
      ],
    },
  ],
};
