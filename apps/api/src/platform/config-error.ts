/** A configuration error that prevents the start. Its message says what to change. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
