/**
 * Renders the reference, which sends requests to `/sandbox` on this site's server. The server holds a sandbox's key.
 */
const { Scalar } = window

/** Returns the state of the sandbox that this site's server found, or null if a static server serves the site. */
async function findSandbox() {
  try {
    const answer = await fetch('/sandbox', { headers: { Accept: 'application/json' } })
    return answer.ok ? await answer.json() : null
  } catch {
    return null
  }
}

/** Hides samples in languages that the guides don't use. */
const hidden = Object.fromEntries(
  'c clojure csharp dart fsharp go http java js julia kotlin objc ocaml php powershell r ruby rust swift'
    .split(' ')
    .map(name => [name, true]),
)
hidden.shell = ['httpie', 'wget']
hidden.node = ['axios', 'ofetch', 'undici']
hidden.python = ['aiohttp', 'httpx_async', 'httpx_sync']

const sandbox = await findSandbox()
const reference = document.querySelector('#reference')

// Parsing the document takes several seconds. Until the reference appears, the page shows that it is loading.
const drawing = new MutationObserver(() => {
  if (!reference.querySelector('h1')) return
  drawing.disconnect()
  document.querySelector('#sandbox').textContent =
    sandbox?.message ?? 'To try requests from this page, serve it with pnpm docs:site in a checkout.'
})
drawing.observe(reference, { childList: true, subtree: true })

Scalar.createApiReference(reference, {
  url: 'openapi.json',
  ...(sandbox && { proxyUrl: '/sandbox' }),
  hideTestRequestButton: sandbox === null,
  hideClientButton: true,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  persistAuth: false,
  hideDarkModeToggle: true,
  forceDarkModeState: document.documentElement.classList.contains('dark') ? 'dark' : 'light',
  authentication: { preferredSecurityScheme: 'secretKey' },
  hiddenClients: hidden,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
})
