/** A command's access to the process, which a test can replace. */
export interface Io {
  /** Writes the command's output. */
  out(line: string): void
  /** Writes everything that is not output, such as progress and errors. */
  err(line: string): void
  env: Readonly<Record<string, string | undefined>>
  /** Aborted by Ctrl-C. The command then exits successfully. */
  signal: AbortSignal
}

/** An invalid command line. The message says what would be valid. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A command failure. The message gives the reason. */
export class Failure extends Error {
  override readonly name = 'Failure'
}
