import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readFolder, serveAsset } from '../flow/frame/assets.js'
import type { ConsoleOptions } from './app.js'

const NOT_BUILT = '<!doctype html><title>Not built</title><p>The console is not built. Run: pnpm build</p>'

/**
 * Reads the console files that `pnpm build` produced.
 * @param root the repository root
 */
export function loadConsole(root: string): Pick<ConsoleOptions, 'page' | 'asset'> {
  const folder = join(root, 'apps/console/dist')
  const index = join(folder, 'index.html')
  const files = readFolder(folder, name => name.startsWith('assets'))
  return {
    page: existsSync(index) ? readFileSync(index, 'utf8') : NOT_BUILT,
    asset: (path, accepted) => serveAsset(files, path, { immutable: true, shared: false, accepted }),
  }
}
