/** A fault that the person at the keyboard can fix. It is printed without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
