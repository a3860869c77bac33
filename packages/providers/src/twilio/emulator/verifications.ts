import { createHash } from 'node:crypto'
import { MINUTE_MS } from '@causeway/contract/time'

const LIFETIME_MS = 10 * MINUTE_MS
export const MAX_SENDS = 5
export const MAX_CHECKS = 5

type Channel = 'sms' | 'sna'

interface Attempt {
  sid: string
  channel: Channel
  at: number
  /** The error of a silent verification. */
  error: number | null
  tags: string | null
}

export interface Verification {
  sid: string
  to: string
  code: string
  createdAt: number
  updatedAt: number
  status: 'pending' | 'approved'
  attempts: Attempt[]
  checks: number
  /** True after the handset opened the URL of a silent verification. */
  isOpened: boolean
}

export interface VerificationsDeps {
  now(): number
  codeLength: number
}

/** Keeps verifications like Twilio: one for each number, for ten minutes, until it is approved. */
export function createVerifications({ now, codeLength }: VerificationsDeps) {
  const all: Verification[] = []
  let count = 0
  const createSid = (prefix: string) =>
    prefix + createHash('sha256').update(`${prefix} ${count++}`).digest('hex').slice(0, 32)
  const createCode = (sid: string) =>
    String(createHash('sha256').update(sid).digest().readUIntBE(0, 6) % 10 ** codeLength).padStart(codeLength, '0')
  const isOpen = ({ status, createdAt }: Verification) => status === 'pending' && now() < createdAt + LIFETIME_MS

  return {
    all,
    /** The number's verification that is neither approved nor expired. */
    findOpen: (to: string) => all.find(each => each.to === to && isOpen(each)),
    findOpenBySid: (sid: string) => all.find(each => each.sid === sid && isOpen(each)),
    findBySid: (sid: string) => all.find(each => each.sid === sid),
    /** Sends to a number. Repeats its open verification, with the same id and code. */
    send(to: string, channel: Channel, tags: string | null): Verification {
      let verification = this.findOpen(to)
      if (!verification) {
        const sid = createSid('VE')
        const at = { createdAt: now(), updatedAt: now() }
        verification = {
          sid,
          to,
          code: createCode(sid),
          ...at,
          status: 'pending',
          attempts: [],
          checks: 0,
          isOpened: false,
        }
        all.push(verification)
      }
      verification.attempts.push({ sid: createSid('VL'), channel, at: now(), error: null, tags })
      verification.isOpened = false
      verification.updatedAt = now()
      return verification
    },
  }
}
