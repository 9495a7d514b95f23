/**
 * Masks an e-mail address: only the first letter of both parts and the end of the domain stay. That is enough for staff and a customer to
 * agree which address is meant, and too little to learn it.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const end = domain.slice(domain.lastIndexOf('.'));
  return `${email.slice(0, 1)}•••@${domain.slice(0, 1)}•••${end.startsWith('.') ? end : ''}`;
}
