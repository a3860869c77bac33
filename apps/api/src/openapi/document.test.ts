import { endpoints } from '@causeway/contract/endpoints/table'
import { NEWEST_VERSION, versions } from '@causeway/contract/versions'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { checkAnswer } from '../testing/contract.js'
import { type TestService, testService } from '../testing/service.js'
import { describeApi, exampleOf, type Mount } from './document.js'
import type { Schema } from './schemas.js'

const origin = 'https://api.example'
const mounts: Mount[] = ['root', 'enveloped']
const spoken = versions.flatMap(version => mounts.map(mount => ({ version, mount })))

describe.each(spoken)('the document of $version, $mount', ({ version, mount }) => {
  const document = describeApi(origin, version, mount)

  it('is OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document))
    expect(result.errors).toBeUndefined()
    expect(result.valid).toBe(true)
  })

  it('names only components that it has', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)]
    expect(refs.length).toBeGreaterThan(50)
    for (const [, kind, name] of refs) expect(document.components[kind!]).toHaveProperty(name!)
  })

  it('gives examples that fit their schemas', () => {
    for (const endpoint of endpoints.filter(({ shape, type }) => shape !== 'raw' && !type))
      checkAnswer({
        method: endpoint.method,
        path: `${mount === 'enveloped' ? '/enveloped' : ''}${endpoint.path}`,
        version,
        status: 200,
        body: exampleOf(endpoint, version, mount),
      })
  })
})

it('gives examples of requests that fit their schemas', () => {
  for (const { body, example, path } of endpoints)
    if (body) expect(body.safeParse(example.request), path).toMatchObject({ success: true })
})

it('calls every operation by a name of its own', () => {
  const ids = Object.values(describeApi(origin).paths).flatMap(path =>
    Object.values(path).map(each => each.operationId),
  )
  expect(new Set(ids).size).toBe(endpoints.length)
})

it('leaves out of a version what came after it', () => {
  const payment = (version: (typeof versions)[number]) => {
    const schemas = describeApi(origin, version).components['schemas'] as Record<string, Schema>
    return schemas['Payment']!
  }
  expect(payment('2026-03-30').properties).toHaveProperty('destination_posted_date')
  expect(payment('2025-12-01').properties).not.toHaveProperty('destination_posted_date')
  expect(payment('2025-12-01').properties).toHaveProperty('reversal_account')
  expect(payment('2024-04-04').properties).not.toHaveProperty('reversal_account')
  expect(payment('2024-04-04').required).not.toContain('reversal_account')
})

describe('GET /openapi.json', () => {
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const service: TestService = await testService()
    const reply = await service.call('GET', path, undefined, { authorization: '', ...headers })
    await service.stop()
    return reply as { status: number; body: { info: { version: string }; error: { sub_type: string } } }
  }

  it('needs no key and speaks the newest version', async () => {
    const { status, body } = await ask('/openapi.json')
    expect(status).toBe(200)
    expect(body.info.version).toBe(NEWEST_VERSION)
  })

  it('speaks the version of the query, else of the header', async () => {
    expect((await ask('/openapi.json?version=2025-07-04')).body.info.version).toBe('2025-07-04')
    const header = { 'service-version': '2024-04-04' }
    expect((await ask('/openapi.json', header)).body.info.version).toBe('2024-04-04')
  })

  it('is never wrapped', async () => {
    expect((await ask('/enveloped/openapi.json')).body.info.version).toBe(NEWEST_VERSION)
  })

  it('refuses a version that is not known', async () => {
    const { status, body } = await ask('/openapi.json?version=1999-01-01')
    expect(status).toBe(400)
    expect(body.error.sub_type).toBe('INVALID_VERSION')
  })
})
