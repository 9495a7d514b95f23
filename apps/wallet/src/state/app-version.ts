/** The version of this build, set by the build; empty where none was. */
export const appVersion: string = String(import.meta.env['VITE_APP_VERSION'] ?? '');
