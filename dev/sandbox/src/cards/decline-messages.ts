const messages: Record<string, string> = {
  card_declined: 'Your card was declined.',
  insufficient_funds: 'Your card has insufficient funds.',
  expired_card: 'Your card has expired.',
  incorrect_cvc: "Your card's security code is incorrect.",
  processing_error: 'An error occurred while processing your card. Try again in a little bit.',
};

/** The provider's message for a decline. Lost and stolen cards get the generic one, so as not to reveal them. */
export function declineMessage(code: string, declineCode?: string): string {
  const fallback = 'Your card was declined.';
  return messages[declineCode ?? code] ?? messages[code] ?? fallback;
}

export const authenticationFailureMessage =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.';
