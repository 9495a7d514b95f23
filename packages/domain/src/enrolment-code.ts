/** The QR code with which the console hands a scanner its one-use code (decision 0068). */

/** Tells such a code from those of guests, which a scanner reads all day. */
const START = 'E1:';
/** The server knows which of these letters it uses, and whether the code is right. */
const CODE_PATTERN = /^E1:([0-9A-Z]{8})$/;

export const enrolmentQrText = (code: string): string => START + code;

/** The code in what a camera has read; `undefined` for a code of something else. */
export const enrolmentCodeOfQr = (text: string): string | undefined => CODE_PATTERN.exec(text)?.[1];
