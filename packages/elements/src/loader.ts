/**
 * Loads the script-tag build once, from the frame's origin.
 *
 * @example
 * await loadCauseway({ frameOrigin: 'https://frame.example.com' })
 * const { reason } = await document.querySelector('connect-element').open()
 */
export interface LoadOptions {
  /** The origin that serves the frame and the kit. */
  frameOrigin: string
  /** `v1`, which receives fixes, or an exact version, which never changes and can be combined with `integrity`. */
  version?: string
  /** The version's Subresource Integrity hash. */
  integrity?: string
  /** The nonce from the page's content security policy. */
  nonce?: string
}

const loads = new Map<string, Promise<void>>()

interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ): {
    createScriptURL(address: string): string
  }
}

/** A page that enforces Trusted Types must allow the policy `causeway`. Other pages use the plain URL. */
function trust(address: string): string {
  try {
    const { trustedTypes } = globalThis as { trustedTypes?: Policies }
    return trustedTypes?.createPolicy('causeway', { createScriptURL: it => it }).createScriptURL(address) ?? address
  } catch {
    return address
  }
}

/**
 * Resolves once both elements are defined, or immediately on a server. Rejects if loading fails; the next call then
 * tries again.
 */
export function loadCauseway({ frameOrigin, version = 'v1', integrity, nonce }: LoadOptions): Promise<void> {
  if (!globalThis.document) return Promise.resolve()
  const address = new URL(`/${version}/kit.js`, frameOrigin).href
  let load = loads.get(address)
  if (!load) {
    load = new Promise((resolve, reject) => {
      const script = document.createElement('script')
      script.src = trust(address)
      if (integrity) script.integrity = integrity
      if (integrity) script.crossOrigin = 'anonymous'
      if (nonce) script.nonce = nonce
      script.onload = () => resolve()
      script.onerror = () => {
        script.remove()
        loads.delete(address)
        reject(new Error(`Causeway could not be loaded from ${address}`))
      }
      document.head.append(script)
    })
    loads.set(address, load)
  }
  return load
}
