/** A configuration error that prevents the service from starting. The message states what to change. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
