/** Builds the container image's file list in a folder, because the tests run on machines without a container engine. */
import { cpSync, mkdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Returns the paths that the Dockerfile's last stage copies from its build stage, relative to the root of the app. */
export function copiedPaths(dockerfile) {
  const last = dockerfile.split(/^FROM /m).at(-1)
  return [...last.matchAll(/^COPY --from=build (.+)$/gm)].flatMap(([, paths]) =>
    paths
      .split(' ')
      .slice(0, -1)
      .map(path => path.replace(/^\/app\//, '')),
  )
}

/** Copies a package's links to its production dependencies, which is what the build stage's second install leaves. */
function copyLinks(from, to) {
  const { dependencies = {} } = JSON.parse(readFileSync(join(dirname(from), 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(to, name)), { recursive: true })
    symlinkSync(readlinkSync(join(from, name)), join(to, name))
  }
}

/**
 * Fills a folder with the files of the image. The installed packages are one link, because a package can import only
 * what its own `node_modules` lists.
 */
export function assembleImage(root, folder) {
  for (const path of copiedPaths(readFileSync(join(root, 'Dockerfile'), 'utf8'))) {
    const from = join(root, path)
    const to = join(folder, path)
    mkdirSync(dirname(to), { recursive: true })
    if (path === 'node_modules') symlinkSync(from, to)
    else if (basename(path) === 'node_modules') copyLinks(from, to)
    else cpSync(from, to, { recursive: true, filter: file => !/\.test\.[^/]*$/.test(file) })
  }
}
