/** A TCP proxy between the service and PostgreSQL that loses data the way a network does. */
import { connect, createServer } from 'node:net'

/**
 * The end of the service's commit statement, PostgreSQL's two possible responses, and the error code of a commit that
 * is skipped because a statement before it failed.
 */
const COMMIT = Buffer.from('; commit\0')
const COMMITTED = Buffer.from('COMMIT\0')
const UNDONE = Buffer.from('ROLLBACK\0')
const SKIPPED = Buffer.from('C25P02\0')

/**
 * Returns `{ at(url), loseCommit(), keepCommits(), silence(), close() }`. `at` returns a database's URL through the proxy.
 * @param url the URL of the PostgreSQL server
 */
export async function createProxy(url) {
  const { hostname, port } = new URL(url)
  /** The open connections, each with both of its sockets. */
  const pairs = new Set()
  /** Called when the response to a commit has been lost. Null while the proxy forwards every response. */
  let lost = null

  const proxy = createServer(client => {
    const server = connect(Number(port || 5432), hostname)
    const pair = { client, server, isSilent: false }
    pairs.add(pair)
    /** The bytes that the server has sent since a commit whose response the proxy will drop, or null. */
    let held = null
    const end = () => {
      if (pair.isSilent) return
      pairs.delete(pair)
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      socket.setNoDelay()
      socket.on('error', () => {})
      socket.on('close', end)
    }
    client.on('data', bytes => {
      if (pair.isSilent) return
      if (lost && bytes.includes(COMMIT)) held ??= []
      server.write(bytes)
    })
    server.on('data', bytes => {
      if (pair.isSilent) return
      if (held === null) return client.write(bytes)
      held.push(bytes)
      const said = Buffer.concat(held)
      const isCommitted = said.includes(COMMITTED)
      if (isCommitted && lost) {
        const tell = lost
        lost = null
        end()
        tell()
      } else if (isCommitted || said.includes(UNDONE) || said.includes(SKIPPED)) {
        held = null
        client.write(said)
      }
    })
  })
  await new Promise((resolve, reject) => {
    proxy.once('error', reject)
    proxy.listen(0, '127.0.0.1', resolve)
  })
  return {
    at: address => Object.assign(new URL(address), { host: `127.0.0.1:${proxy.address().port}` }).toString(),
    /** Waits for the next commit, then closes its connection instead of forwarding PostgreSQL's response. */
    loseCommit: () =>
      new Promise(resolve => {
        lost = resolve
      }),
    /** Forwards the responses to all further commits. */
    keepCommits() {
      lost = null
    },
    /**
     * Stops forwarding bytes on the connections that are currently open, without closing them. New connections work.
     * @returns the number of connections
     */
    silence() {
      for (const pair of pairs) pair.isSilent = true
      return pairs.size
    },
    close() {
      for (const { client, server } of pairs) {
        client.destroy()
        server.destroy()
      }
      proxy.close()
    },
  }
}
