import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system in memory, which makes a seed faster. */
const MEMORY = '/dev/shm'

/** Returns the folder of the process that simulates a seed. */
export const folderOf = pid => join(existsSync(MEMORY) ? MEMORY : tmpdir(), `causeway-simulate-${pid}`)
