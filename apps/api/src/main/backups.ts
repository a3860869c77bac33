import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.js'

/** The folder where the commands of docs/operations.md put backups. */
export const backupFolder = ({ dataFolder }: Pick<Config, 'dataFolder'>): string => join(dataFolder, 'backups')

/** The latest file of a folder, or null. Names that begin with a dot are left out: a copy may still be on its way. */
export function newestBackup(folder: string): string | null {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const files = names
    .filter(name => !name.startsWith('.'))
    .map(name => join(folder, name))
    .map(file => ({ file, at: statSync(file) }))
    .filter(({ at }) => at.isFile())
    .sort((a, b) => b.at.mtimeMs - a.at.mtimeMs)
  return files[0]?.file ?? null
}
