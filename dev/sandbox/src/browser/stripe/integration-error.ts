/** A mistake in the embedding page. It is thrown, and it is the only reason for a promise to reject. */
export class IntegrationError extends Error {
  override readonly name = 'IntegrationError';
}
