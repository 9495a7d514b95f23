/** Separate from the store, whose code is loaded only with My Purchases. */
export const TICKETS_DATABASE = 'tickets';

/** Deletes the phone's key and tickets. A browser without the database has nothing to delete. */
export function forgetTickets(): void {
  if ('indexedDB' in globalThis) indexedDB.deleteDatabase(TICKETS_DATABASE);
}
