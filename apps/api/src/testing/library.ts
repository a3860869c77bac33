/**
 * Test helper that uses an unmodified third-party server library for APIs like this one. The library's own `baseURL`
 * option points to the second mount of a listening server. The library uses version 2025-07-04.
 */
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { MethodInvalidRequestError as Refusal } from 'method-node'
import { expect } from 'vitest'
import { stopAtEnd } from './cleanup.js'
import { testService } from './service.js'

// Loads the library's CommonJS build, because its ES module build also calls `require`.
export const library = createRequire(import.meta.url)('method-node') as typeof import('method-node')

/** The values that the library reads from response headers. */
interface ResponseValues {
  idempotency_status: string | null
  request_id: string | null
  total: number
}

/** Returns field names in the same order as `keysOf`. */
export const keys = (text: string) => text.trim().split(/\s+/).sort()
export const keysOf = (value: unknown) => Object.keys(value as object).sort()
/** Fields at the end of every resource. */
export const common = 'error created_at updated_at'

/** Returns the library's own error for a rejected request. */
export async function expectRefusal(promise: Promise<unknown>): Promise<Refusal> {
  const error = await promise.then(
    () => null,
    reason => reason,
  )
  expect(error).toBeInstanceOf(library.MethodInvalidRequestError)
  return error
}

/** A lender that uses the service only through the library. All products are enabled. */
export async function startLender() {
  const service = await testService()
  const products = 'balance update payment card_brand payoff connect sensitive attribute payment_instrument transaction'
  await service.call('PATCH', '/team', { products: products.split(' ') })
  const server = createAdaptorServer({ fetch: service.app.api.fetch }) as Server
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  stopAtEnd(() => new Promise(resolve => server.close(resolve)))
  const responses: ResponseValues[] = []
  const client = (apiKey: string) =>
    new library.Method({
      apiKey,
      env: 'dev',
      baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/enveloped`,
      onResponse: ({ idempotency_status, request_id, pagination }) =>
        responses.push({ idempotency_status, request_id, total: pagination.total_count }),
    } as ConstructorParameters<typeof library.Method>[0])
  const method = client(service.key)

  /** Returns a person whose phone number and identity are verified. */
  async function verified(phone = '+15125550101') {
    const { id } = await method.entities.create({
      type: 'individual',
      individual: { first_name: 'Kevin', last_name: 'Doyle', phone, dob: '1980-05-05' },
    })
    const sessions = method.entities(id).verificationSessions
    const sms = await sessions.create({ type: 'phone', method: 'sms', sms: {} })
    await sessions.update(sms.id, { type: 'phone', method: 'sms', sms: { sms_code: '123456' } })
    await sessions.create({ type: 'identity', method: 'kba', kba: {} })
    return id
  }

  return {
    service,
    client,
    method,
    verified,
    /** Returns the latest response's header values. */
    last: () => responses.at(-1)!,
    async connected() {
      const entity = await verified()
      const connect = await method.entities(entity).connect.create({}, { expand: ['accounts'] } as never)
      await service.settle()
      return { entity, connect, accounts: connect.accounts as unknown as { id: string; products: string[] }[] }
    },
    async source() {
      const holder = await method.entities.create({
        type: 'corporation',
        corporation: { name: 'Northwind', ein: '123456789', owners: [] },
      })
      return method.accounts.create({
        holder_id: holder.id,
        ach: { routing: '062103000', number: '123456789', type: 'checking' },
      })
    },
  }
}
