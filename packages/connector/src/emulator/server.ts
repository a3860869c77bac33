import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import type { FaultyAnswer } from './faults.js'

export interface ListenOptions {
  host?: string
  /** 0, the default, lets the system choose. */
  port?: number
}

/** Serves answers over HTTP, and drops or hangs connections where they say so. */
export async function serveFaulty(
  answer: (request: Request) => Promise<FaultyAnswer>,
  { host = '127.0.0.1', port = 0 }: ListenOptions = {},
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createAdaptorServer({
    async fetch(request, env) {
      const response = await answer(request)
      if (response === null) (env as HttpBindings).outgoing.destroy()
      return response instanceof Response ? response : new Promise<Response>(() => {})
    },
  }) as Server
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
