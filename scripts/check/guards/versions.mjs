/**
 * If versions were ranges, two machines (or one machine on two different days) could test different code. Therefore,
 * every dependency has an exact version. Peer dependencies remain ranges, because the customer's installation
 * determines their versions.
 */
export const sentence = 'Dependencies have exact versions'

const version = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/
/** Matches an alias, `npm:name@1.2.3`. */
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
