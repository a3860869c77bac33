/** A module hook that gives the service the simulated SQLite instead of the real one. */
const simulated = new URL('sqlite.mjs', import.meta.url).href

export async function resolve(specifier, context, next) {
  if (specifier === '@photostructure/sqlite' && context.parentURL !== simulated)
    return { url: simulated, shortCircuit: true }
  return next(specifier, context)
}
