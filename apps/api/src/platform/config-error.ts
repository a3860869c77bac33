/** A start that must not continue. Its message says what to change. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
