/** All clients. */
import { createBorrower } from './borrower.mjs'
import { createNeighbor } from './neighbor.mjs'
import { createClock, createHolder, createKeeper, createOperator, createWebhookKeeper } from './others.mjs'
import { createPayer } from './payer.mjs'
import { createReader } from './reader.mjs'
import { createVisitor } from './visitor.mjs'

/** The functions that create each kind of client. */
export const creators = {
  payer: createPayer,
  borrower: createBorrower,
  clock: createClock,
  keeper: createKeeper,
  holder: createHolder,
  webhooks: createWebhookKeeper,
  operator: createOperator,
  neighbor: createNeighbor,
  visitor: createVisitor,
  reader: createReader,
}

/**
 * Chooses the clients of a seed.
 * @param isOutage true in a seed with a long outage of the disk
 * @param only the names of the clients to keep; undefined for all
 */
export function chooseClients(random, isOutage, only) {
  // During a long outage, a few clients cause enough work.
  if (isOutage) return ['payer 1', 'holder 1'].filter(name => only?.includes(name) ?? true)
  const names = [
    ...Array.from({ length: random.whole(1, 5) }, (_, index) => `payer ${index + 1}`),
    ...Array.from({ length: random.whole(0, 2) }, (_, index) => `borrower ${index + 1}`),
    ...['clock 1', 'keeper 1', 'holder 1', 'webhooks 1', 'operator 1', 'neighbor 1', 'visitor 1', 'reader 1'].filter(
      () => random.chance(0.5),
    ),
  ]
  return only ? names.filter(name => only.includes(name)) : names
}
