/** Fixtures for the tests in this folder: a call at a fixed time, and people and payments with all fields set. */

import type { PortCall } from '@causeway/connector/ports/call'
import type { IdentityDetails } from '@causeway/connector/ports/identity'
import type { RailAccount, RailPayment } from '@causeway/connector/ports/rail'
import { createSandbox } from './sandbox.js'

/** 9 a.m. in Chicago on Wednesday, January 14, 2026. */
export const now = Date.parse('2026-01-14T15:00:00.000Z')
export const call: PortCall = { request_id: 'req_1', team_id: 'team_1', now }

/** Creates a sandbox that records each wait instead of waiting. */
export function testSandbox() {
  const waits: number[] = []
  const sandbox = createSandbox({
    async sleep(ms) {
      waits.push(ms)
    },
  })
  return { ...sandbox, waits }
}

export function details(phone: string | null, more: Partial<IdentityDetails> = {}): IdentityDetails {
  const address = { line1: null, line2: null, city: null, state: null, zip: null }
  return { first_name: 'Ana', last_name: 'Diaz', phone, dob: null, ssn: null, ssn_4: null, address, ...more }
}

export const address = { line1: '1 Main St', line2: null, city: 'Austin', state: 'TX', zip: '78705' }

export function ach(number: string): RailAccount {
  return { id: 'acc_source', type: 'ach', routing: '062103000', number, reference: null, mch_id: null }
}

export function liability(reference: string): RailAccount {
  return { id: 'acc_card', type: 'liability', routing: null, number: null, reference, mch_id: 'mch_302086' }
}

export function payment(source: string, destination: string): RailPayment & { source: RailAccount } {
  return {
    payment_id: 'pmt_1',
    amount: 120_000,
    fee: 0,
    source: ach(source),
    destination: liability(destination),
    created_at: now,
    source_date: '2026-01-14',
    destination_date: '2026-01-16',
  }
}
