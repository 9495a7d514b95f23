/**
 * An address that two people who know it can agree on, and from which nobody learns it: the first letters of both parts and the
 * end of the domain.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const end = domain.slice(domain.lastIndexOf('.'));
  return `${email.slice(0, 1)}•••@${domain.slice(0, 1)}•••${end.startsWith('.') ? end : ''}`;
}
