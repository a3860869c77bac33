import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { hostInBrowserUrl, hostInUrl } from './own-hosts.js'

it.each([
  ['127.0.0.1', '127.0.0.1', 'localhost'],
  ['0.0.0.0', '127.0.0.1', 'localhost'],
  ['::', '127.0.0.1', 'localhost'],
  ['::1', '[::1]', 'localhost'],
  ['127.0.0.2', '127.0.0.2', '127.0.0.2'],
  ['localhost', 'localhost', 'localhost'],
  ['fd00::5', '[fd00::5]', '[fd00::5]'],
  ['192.0.2.4', '192.0.2.4', '192.0.2.4'],
])('a listener on %s is reached at %s, and at %s', (address, host, name) => {
  expect([hostInUrl(address), hostInBrowserUrl(address)]).toEqual([host, name])
})

it.each(['127.0.0.1', '::1', '127.0.0.2', '0.0.0.0', '::'])('a listener on %s answers at its host', async address => {
  const server = createServer((_, response) => response.end('here')).listen(0, address)
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://${hostInUrl(address)}:${port}`, { headers: { connection: 'close' } })
  expect(await answer.text()).toBe('here')
  await new Promise(resolve => server.close(resolve))
})
