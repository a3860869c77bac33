/** A connector that gives the sandbox's answers, with hostile data in every free-form object. */

import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createSandbox } from '../../apps/api/dist/sandbox/sandbox.js'
import { createConnector, createPortsExchange } from '../../packages/connector/dist/http/serve.js'
import { readSharedKeys, SIGNATURE_HEADER, sign } from '../../packages/connector/dist/http/signature.js'
import { endpointsByPath } from '../../packages/connector/dist/methods/contract.js'

/** Objects that are valid JSON of at most a few megabytes. */
const blocks = {
  deep: () => JSON.parse('{"a":'.repeat(2_000) + '1' + '}'.repeat(2_000)),
  'a long name': () => ({ ['n'.repeat(4_000_000)]: 'x' }),
  'a name like an email': () => ({ [`a@${'.'.repeat(1_000_000)} `]: 'x' }),
  'many names': () => Object.fromEntries(Array.from({ length: 300_000 }, (_, at) => [`n${at}`, at])),
  'a long text': () => ({ a: `a@${'.'.repeat(4_000_000)} ` }),
}
export const blockNames = Object.keys(blocks)

/** Puts a block into each free-form object of an answer, as the contract's schema names them. */
function fill(schema, value, block) {
  const { def } = schema
  if (def.type === 'record' && def.valueType.def.type === 'unknown') return { ...value, ...block }
  if (def.innerType) return value === null || value === undefined ? value : fill(def.innerType, value, block)
  if (def.options) {
    const fit = def.options.find(option => option.safeParse(value).success)
    return fit ? fill(fit, value, block) : value
  }
  if (def.type === 'array') return Array.isArray(value) ? value.map(each => fill(def.element, each, block)) : value
  if (def.type === 'record' && typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(def.valueType, each, block)]))
  if (def.shape && typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, def.shape[name] ? fill(def.shape[name], each, block) : each]),
    )
  return value
}

/** @returns `{ url, key, keys, hostile(name), asked, close() }`; `hostile` sets the block in later answers, or null */
export async function startHostileConnector() {
  const key = randomBytes(32).toString('base64')
  const keys = readSharedKeys(key)
  const connector = createConnector({
    keys,
    clock: Date.now,
    id: randomUUID,
    exchange: createPortsExchange(createSandbox({ sleep: async () => {} })),
  })
  let block = null
  const changed = new Set()
  const server = createServer(async (incoming, outgoing) => {
    const parts = []
    for await (const part of incoming) parts.push(part)
    const body = Buffer.concat(parts)
    const headers = { [SIGNATURE_HEADER]: String(incoming.headers[SIGNATURE_HEADER.toLowerCase()]) }
    const answered = await connector(new Request(`http://connector${incoming.url}`, { method: 'POST', headers, body }))
    let text = await answered.text()
    let signature = answered.headers.get(SIGNATURE_HEADER)
    const path = incoming.url.slice(1)
    const endpoint = endpointsByPath.get(path)
    if (block !== null && endpoint && answered.status === 200) {
      const { answer } = JSON.parse(text)
      const filled = JSON.stringify({ answer: fill(endpoint.method.answer, answer, blocks[block]()) })
      if (filled !== text) {
        changed.add(path)
        text = filled
        const about = JSON.parse(Buffer.from(headers[SIGNATURE_HEADER].split('.')[1], 'base64url').toString()).jti
        signature = await sign(keys, text, { from: 'connector', about, id: randomUUID() }, Date.now())
      }
    }
    outgoing.writeHead(answered.status, { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature }).end(text)
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    key,
    keys,
    /** The methods whose answers had a block. */
    changed,
    hostile(name) {
      block = name
    },
    close: () => server.close(),
  }
}
