/** Test helper that provides a lender, webhooks for its new entities, and the deliveries to those webhooks. */
import { lender } from './money.js'
import { createReceiver, type Receiver } from './receiver.js'
import { type TestService, testService } from './service.js'

type Row = Record<string, unknown> & { id: string }

export interface Hooks {
  service: TestService
  receiver: Receiver
  bank: ReturnType<typeof lender>
  hook(more?: Record<string, unknown>): Promise<Row>
  /** Triggers an event by creating an entity. */
  happens(): Promise<Row>
  /** Returns a webhook in the form that GET returns. */
  shown(id: string): Promise<Row>
  deliveries(id: string, query?: string): Promise<Row[]>
  /** Runs a delivery attempt, then waits for each of the given times and runs any due jobs after each wait. */
  passes(...seconds: number[]): Promise<void>
}

export async function startHooks(): Promise<Hooks> {
  const receiver = createReceiver()
  const service = await testService({ outbound: receiver.outbound })
  const bank = lender(service)
  return {
    service,
    receiver,
    bank,
    hook: (more = {}) =>
      bank.must('POST', '/webhooks', { type: 'entity.create', url: 'https://a.example/hook', ...more }),
    happens: () => bank.must('POST', '/entities', { type: 'corporation', corporation: { name: 'Acme' } }),
    shown: id => bank.must('GET', `/webhooks/${id}`),
    deliveries: async (id, query = '') =>
      (await bank.must('GET', `/webhooks/${id}/deliveries${query}`))['data'] as Row[],
    async passes(...seconds) {
      await service.settle()
      for (const each of seconds) {
        service.advance(each * 1_000)
        await service.settle()
      }
    },
  }
}
