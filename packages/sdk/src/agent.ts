import { SDK_VERSION } from './contract.gen.js'

/** The runtime's product name and version, such as `Node.js/24`. Empty if the runtime does not report them. */
function runtime(): string {
  const { navigator, process } = globalThis as {
    navigator?: { userAgent?: string }
    process?: { versions?: { node?: string } }
  }
  // Node 20 does not have `navigator`.
  const node = process?.versions?.node
  const name = navigator?.userAgent ?? (node ? `Node.js/${node.split('.')[0]}` : '')
  return name ? ` ${name}` : ''
}

/** The `User-Agent` of every request. */
export const userAgent = () => `causeway-sdk/${SDK_VERSION}${runtime()}`
