/** The process as a command sees it, so that a test can replace it. */
export interface Io {
  /** The purpose of the command. */
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
