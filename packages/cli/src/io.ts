/** The process as a command sees it. A test can replace it. */
export interface Io {
  /** Writes the output of the command. */
  out(line: string): void
  /** Writes everything else, such as progress and errors. */
  err(line: string): void
  env: Readonly<Record<string, string | undefined>>
  /** Aborted by Ctrl-C. The command then ends with success. */
  signal: AbortSignal
}

/** An invalid command line. The message says what would be valid. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A command that failed. The message says why. */
export class Failure extends Error {
  override readonly name = 'Failure'
}
