/** Password rules of spec 5, the same for sign-up, reset and update, in the browser and on the server. */

export const PASSWORD_LENGTH_MIN = 8;
/** For staff, to whom no further rule applies: length is what makes a password hard to guess. */
export const STAFF_PASSWORD_LENGTH_MIN = 12;
/** Argon2 hashes any length. The bound limits the cost of one request. */
export const PASSWORD_LENGTH_MAX = 256;

export const PASSWORD_RULES = ['symbol', 'number', 'uppercase', 'length'] as const;
export type PasswordRule = (typeof PASSWORD_RULES)[number];
export type PasswordStrength = 'None' | 'Low' | 'Medium' | 'Strong';

const RULE_MET: Record<PasswordRule, (password: string) => boolean> = {
  // D-150: any ASCII punctuation.
  symbol: (password) => /[!-/:-@[-`{-~]/.test(password),
  number: (password) => /\d/.test(password),
  uppercase: (password) => /[A-Z]/.test(password),
  length: (password) => password.length >= PASSWORD_LENGTH_MIN,
};

/** D-144: trimmed everywhere, so that sign-up and sign-in agree. */
export const normalizePassword = (password: string): string => password.trim();
/** D-143. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

/** The rules that a password meets, after trimming. */
export function passwordRulesMet(password: string): ReadonlySet<PasswordRule> {
  const trimmed = normalizePassword(password);
  return new Set(PASSWORD_RULES.filter((rule) => RULE_MET[rule](trimmed)));
}

/** Spec 5: 0 rules None, 1-2 Low, 3 Medium, 4 Strong. */
export function passwordStrength(password: string): PasswordStrength {
  const metCount = passwordRulesMet(password).size;
  if (metCount === PASSWORD_RULES.length) return 'Strong';
  if (metCount === 3) return 'Medium';
  return metCount === 0 ? 'None' : 'Low';
}
