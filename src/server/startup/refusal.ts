/** Starting would put data at risk. The message says what to do. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
}
