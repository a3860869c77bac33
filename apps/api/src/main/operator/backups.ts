import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.js'

/** The folder in which the commands in docs/operations.md store backups. */
export const backupFolder = ({ dataFolder }: Pick<Config, 'dataFolder'>): string => join(dataFolder, 'backups')

/**
 * Returns the latest file in a folder, or null if there is none. Skips files whose names begin with a dot or end
 * in `.part`, because they may be incomplete copies.
 */
export function newestBackup(folder: string): string | null {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const files = names
    .filter(name => !name.startsWith('.') && !name.endsWith('.part'))
    .map(name => join(folder, name))
    .map(file => ({ file, at: statSync(file) }))
    .filter(({ at }) => at.isFile())
    .sort((a, b) => b.at.mtimeMs - a.at.mtimeMs)
  return files[0]?.file ?? null
}
