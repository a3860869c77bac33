/** What a command has of the process, so that a test can be one. */
export interface Io {
  /** What the command is for. */
  out(line: string): void
  /** Everything that is said beside it. */
  err(line: string): void
  env: Readonly<Record<string, string | undefined>>
  /** Aborted by Ctrl-C: the command ends, and well. */
  signal: AbortSignal
}

/** A command line that means nothing: its message says what would. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Something that did not work out: its message says what. */
export class Failure extends Error {
  override readonly name = 'Failure'
}
