import { endpoints } from '@causeway/contract/endpoints/table'
import { NEWEST_VERSION } from '@causeway/contract/versions'
import { describe, expect, it } from 'vitest'
import { Causeway, VERSION } from './index.js'

/** Endpoints without a client method, and the reason for each. */
const without: Record<string, string> = {
  'GET /card_product/{}': 'another path of GET /card_products/{}',
  'GET /simulate/accounts/{}/verification_sessions/{}/amounts': 'another path of the same without /simulate',
  'POST /simulate/payments/payment_instrument/{}': 'another path of the same in the plural',
  'POST /simulate/entities/{}/connect/{}': 'another path of the same with the id once',
  'POST /simulate/entities/{}/attributes/{}': 'another path of the same with the id once',
  'GET /file_links/{}': 'for any client, by the `download_url` of a file',
  'GET /openapi.json': 'for tools, not for servers',
  'GET /docs': 'for readers',
  'GET /docs/style.css': 'for readers',
  'GET /assets/merchants/{}': 'for browsers, by the `logo` of a merchant',
  'GET /assets/cards/{}': 'for browsers, by the `url` of a card brand',
}

const shape = (method: string, path: string) => `${method} ${path.replace(/:\w+|\bx\d\b/g, '{}')}`

type Method = (...args: unknown[]) => Promise<unknown>
/** Methods that call more than one endpoint. Each has its own test. */
const compound = ['verifyResult']

/** Returns every method of a client by its full name, such as `entities.connect.create`. */
function methodsOf(value: object, path: string[] = []): [string, Method][] {
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'function'
      ? [[[...path, name].join('.'), member as Method] as [string, Method]]
      : methodsOf(member as object, [...path, name]),
  )
}

/** Calls every method with more ids than it accepts, and records the endpoint that each method requests. */
async function called(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  let asked = ''
  const fetch = async (input: string | URL | Request, init: RequestInit = {}) => {
    asked = shape(init.method ?? 'GET', new URL(String(input)).pathname)
    return Response.json({ data: [] })
  }
  const causeway = new Causeway({ apiKey: 'sk_test', baseUrl: 'https://api.test', fetch })
  for (const [name, method] of methodsOf(causeway)) {
    if (compound.includes(name)) continue
    await method('x1', 'x2', 'x3')
    found.set(name, asked)
  }
  return found
}

describe('the methods', () => {
  it('cover exactly the endpoints in the contract', async () => {
    const reached = new Set((await called()).values())
    const served = endpoints.map(({ method, path }) => shape(method, path))
    expect(served.filter(name => !reached.has(name) && !(name in without))).toEqual([])
    expect([...reached].filter(name => !served.includes(name))).toEqual([])
    expect(Object.keys(without).filter(name => reached.has(name) || !served.includes(name))).toEqual([])
  })

  it('are unique for each endpoint', async () => {
    const reached = [...(await called()).values()]
    expect(reached.filter((name, index) => reached.indexOf(name) !== index)).toEqual([])
  })

  it('use the latest version of the contract', () => {
    expect(VERSION).toBe(NEWEST_VERSION)
  })
})
