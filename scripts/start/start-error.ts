/** A fault of the start that the person at the keyboard can mend: shown as it is, without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
