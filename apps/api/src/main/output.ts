/** Exits quietly if a reader, such as `head`, closes the pipe once it has read enough. Call this before any output. */
export function exitOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      process.exit()
    })
}
