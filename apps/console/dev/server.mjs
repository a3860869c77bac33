/**
 * Serves the play page without the service: `node dev/server.mjs [port]`, then open
 * http://localhost:PORT/dev/play.html.
 */
import { join } from 'node:path'
import { createServer } from 'vite'

const port = Number(process.argv[2] ?? 4320)
const server = await createServer({
  configFile: join(import.meta.dirname, '../vite.config.ts'),
  appType: 'mpa',
  server: { port, hmr: false, ws: false },
})
await server.listen()
const { port: open } = server.httpServer.address()
console.log(`http://localhost:${open}/dev/play.html`)
