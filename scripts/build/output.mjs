import { closeSync, existsSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** The size, in bytes, at which the file is replaced with a new one. */
const MAX_BYTES = 20_000_000

/**
 * Returns a function that takes a program's lines and stores them in a file, and shows only errors. The file starts
 * empty, also when it is full. The one before it is kept beside it.
 */
export function createOutputFile(file, show, maxBytes = MAX_BYTES) {
  let handle
  let size = 0
  const open = () => {
    if (handle !== undefined) closeSync(handle)
    if (existsSync(file)) renameSync(file, file.replace(/\.log$/, '.previous.log'))
    handle = openSync(file, 'w', 0o600)
    size = 0
  }
  mkdirSync(dirname(file), { recursive: true })
  open()
  return line => {
    if (size > maxBytes) open()
    size += writeSync(handle, `${line}\n`)
    if (isError(line)) show(line)
  }
}

/** True for the log's errors, and for lines that are not from the log, such as those of a crash. */
function isError(line) {
  try {
    const { level } = JSON.parse(line)
    return level === undefined || level === 'error'
  } catch {
    return line.trim() !== ''
  }
}
