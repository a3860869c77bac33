/**
 * Builds what the service and the demo lender need at run time, for `pnpm start`. Does not check types, and skips the
 * parts whose inputs and outputs are unchanged since they were last built.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { contentHash } from './content-hash.mjs'
import { parts, root } from './parts.mjs'

const hashFile = join(root, 'node_modules/.cache/causeway-build.json')
const inputHash = ({ inputs }) => contentHash(inputs)
const outputHash = ({ outputs, isOutput }) => contentHash(outputs, isOutput)

/** Reads the hashes of each part when it was last built. A damaged file only means that parts are built again. */
function readBuilt(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

function writeBuilt(file, built) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(built, null, 2))
}

/** Records that all parts have just been built, so that the next `prepare` skips them. */
export function recordBuilt() {
  const built = parts.flat().map(part => [part.name, { inputs: inputHash(part), outputs: outputHash(part) }])
  writeBuilt(hashFile, Object.fromEntries(built))
}

/**
 * Builds the parts that have changed.
 * @param during runs a task while telling the reader about it: `(text, task) => task()`
 */
export async function prepare(during, groups = parts, file = hashFile) {
  const built = readBuilt(file)
  for (const group of groups) {
    const stale = group
      .map(part => ({ part, inputs: inputHash(part) }))
      .filter(({ part, inputs }) => {
        const last = built[part.name]
        return last?.inputs !== inputs || last.outputs !== outputHash(part)
      })
    if (stale.length === 0) continue
    const build = async ({ part, inputs }) => {
      try {
        await part.run()
      } catch (error) {
        throw new Error(`Building ${part.name} failed.\n${error.message}`)
      }
      built[part.name] = { inputs, outputs: outputHash(part) }
    }
    await during(`Building ${stale.map(({ part }) => part.name).join(', ')}`, () => Promise.all(stale.map(build)))
    writeBuilt(file, built)
  }
}
