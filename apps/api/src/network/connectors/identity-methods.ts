import { z } from 'zod'
import type { Identity } from '../identity/port.js'
import type { Methods } from './method.js'
import { code, details, reference, text } from './shapes.js'

const phone = z.string().regex(/^\+\d{5,15}$/)
const round = z.int().min(0)
const known = z.enum(['name', 'phone', 'dob', 'address', 'ssn_4'])

export const identityMethods: Methods<Identity> = {
  sendCode: {
    kind: 'act',
    what: 'Texts a code of six digits to a phone. `refused`: it can never be texted.',
    question: z.object({ phone }),
    answer: z.object({ status: z.enum(['sent', 'refused']) }),
  },
  checkCode: {
    kind: 'check',
    what: 'Whether it is the code that was texted for this `request_id`.',
    question: z.object({ phone, code: z.string().regex(/^\d{6}$/) }),
    answer: z.object({ status: z.enum(['correct', 'incorrect', 'expired']) }),
  },
  beginSna: {
    kind: 'act',
    what: 'Addresses that the handset opens, so that its carrier says whose it is.',
    question: z.object({ phone }),
    answer: z.discriminatedUnion('status', [
      z.object({ status: z.literal('ready'), urls: z.array(z.url().max(2_000)).min(1).max(10) }),
      z.object({ status: z.literal('refused') }),
    ]),
  },
  checkSna: {
    kind: 'read',
    what: 'What the carrier said; `pending`: the handset has not opened the addresses yet.',
    question: z.object({ phone }),
    answer: z.object({ status: z.enum(['correct', 'incorrect', 'pending']) }),
  },
  match: {
    kind: 'read',
    what: 'Whether the details are those of exactly one person. `missing`: what would have to be known to decide; empty: nobody. `refused`: nobody is to deal with who this is, and why.',
    question: z.object({ details }),
    answer: z.discriminatedUnion('matched', [
      z.object({ matched: z.literal(true), person: reference, questions: z.boolean() }),
      z.object({ matched: z.literal(false), missing: z.array(known), refused: code.exactOptional() }),
    ]),
  },
  questions: {
    kind: 'read',
    what: 'Knowledge questions for a person; none: nothing needs to be asked. The same ones for the same `request_id` and round.',
    question: z.object({ person: reference, round }),
    answer: z.object({
      questions: z
        .array(
          z.object({
            id: reference,
            text,
            answers: z
              .array(z.object({ id: reference, text }))
              .min(1)
              .max(20),
          }),
        )
        .max(20),
    }),
  },
  answer: {
    kind: 'check',
    what: 'Whether all questions of the round are answered right.',
    question: z.object({
      person: reference,
      round,
      answers: z.array(z.object({ question_id: text, answer_id: text })).max(20),
    }),
    answer: z.object({ status: z.enum(['correct', 'incorrect']) }),
  },
}
