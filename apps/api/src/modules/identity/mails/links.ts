/** Addresses of the wallet that mails lead to (spec 2, "Auth screens"). */

export const verifyUrl = (publicUrl: string, code: string): string =>
  `${publicUrl}/auth/verify-account?code=${encodeURIComponent(code)}`;

export const resetUrl = (publicUrl: string, code: string): string =>
  `${publicUrl}/auth/reset-password?code=${encodeURIComponent(code)}`;

export const signInUrl = (publicUrl: string): string => `${publicUrl}/auth/sign-in`;

export const forgotPasswordUrl = (publicUrl: string): string => `${publicUrl}/auth/forgot-password`;
