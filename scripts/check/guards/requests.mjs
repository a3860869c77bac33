/**
 * Individual body fields must be validated in the body's declaration, so features throw INVALID_REQUEST only for other
 * problems.
 */
export const sentence = 'No module throws INVALID_REQUEST in more places than docs/contributing/endpoints.md explains'

/** The maximum number of throws in each module. The platform parses every request and is exempt. */
const most = { console: 5, flow: 11, money: 3, notify: 2, people: 14, privacy: 1, sandbox: 6, team: 18, versions: 1 }

export function check(files) {
  const counts = new Map()
  for (const { path, text } of files) {
    const module = /^apps\/api\/src\/(\w+)\/.*(?<!\.test)\.ts$/.exec(path)?.[1]
    if (module && module !== 'platform')
      counts.set(module, (counts.get(module) ?? 0) + text.split("'INVALID_REQUEST'").length - 1)
  }
  return [...counts]
    .filter(([module, count]) => count > (most[module] ?? 0))
    .map(
      ([module, count]) =>
        `apps/api/src/${module} names INVALID_REQUEST ${count} times, but only ${most[module] ?? 0} are explained: declare the check in the contract, or explain it there and in scripts/check/guards/requests.mjs`,
    )
}
