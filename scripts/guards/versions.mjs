/**
 * A range lets an install choose: two machines, or two days, then test different code. So every dependency names one version.
 * Peer dependencies are for the customer's install to choose, and stay ranges.
 */
export const sentence = 'Dependencies have exact versions'

const version = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/
/** `npm:name@1.2.3`, an alias. */
const alias = /^npm:(?:@[^/@]+\/)?[^/@]+@/
const isExact = wanted => /^workspace:\*$|^link:\.\.?\//.test(wanted) || version.test(wanted.replace(alias, ''))

export function check(files) {
  const found = []
  for (const { path, text } of files) {
    if (!/(?:^|\/)package\.json$/.test(path)) continue
    const manifest = JSON.parse(text)
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'])
      for (const [name, wanted] of Object.entries(manifest[kind] ?? {}))
        if (!isExact(wanted))
          found.push(`${path}: ${kind} has ${name} ${wanted}. Name one version, such as 1.2.3, or workspace:*`)
  }
  return found
}
