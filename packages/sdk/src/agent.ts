import { SDK_VERSION } from './contract.gen.js'

/** The product and version of the runtime, such as `Node.js/24`; empty if the runtime does not report it. */
function runtime(): string {
  const { navigator, process } = globalThis as {
    navigator?: { userAgent?: string }
    process?: { versions?: { node?: string } }
  }
  // Node 20 has no `navigator`.
  const node = process?.versions?.node
  const name = navigator?.userAgent ?? (node ? `Node.js/${node.split('.')[0]}` : '')
  return name ? ` ${name}` : ''
}

/** The `User-Agent` of every request. */
export const userAgent = () => `causeway-sdk/${SDK_VERSION}${runtime()}`
