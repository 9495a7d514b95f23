/** A mistake of the embedding page: thrown, or the one reason for a promise to reject. */
export class IntegrationError extends Error {
  override readonly name = 'IntegrationError';
}
