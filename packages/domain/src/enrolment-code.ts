/** The QR code with which the console gives a scanner its one-use code (decision 0068). */

/** Distinguishes such a code from those of guests, which a scanner reads all day. */
const START = 'E1:';
/** The server knows which of these letters are used, and whether the code is valid. */
const CODE_PATTERN = /^E1:([0-9A-Z]{8})$/;

export const enrolmentQrText = (code: string): string => START + code;

/** The code in scanned text; `undefined` for any other QR code. */
export const enrolmentCodeOfQr = (text: string): string | undefined => CODE_PATTERN.exec(text)?.[1];
