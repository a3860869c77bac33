import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Host {
  origin: string
  stop: () => Promise<void>
}

/**
 * Serves the same page at every path of a separate origin.
 * @param scripts the text of each script, by its path
 */
export async function servePage(
  html: string,
  headers: Record<string, string> = {},
  scripts: Record<string, string> = {},
): Promise<Host> {
  const server: Server = createServer(({ url = '/' }, response) => {
    const script = scripts[url]
    const type = script === undefined ? 'text/html' : 'text/javascript'
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, ...headers })
    response.end(script ?? html)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
