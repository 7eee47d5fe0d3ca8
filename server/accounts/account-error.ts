/** What is asked of the accounts cannot be done; the message says why, for who runs the command. */
export class AccountError extends Error {
  override readonly name = 'AccountError';
}
