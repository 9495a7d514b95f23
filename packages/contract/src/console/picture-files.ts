/** The accepted picture files. Importing this file does not load zod. */

/** A photo from a current phone has about 8 MB. */
export const PICTURE_BYTES_MAX = 12 * 1024 * 1024;
/** The type is determined from the content, regardless of the file's name and declared type. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'] as const;
export const ALTERNATIVE_TEXT_MAX = 300;
