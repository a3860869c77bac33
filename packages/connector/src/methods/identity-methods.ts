import { text as matching } from '@causeway/contract/text'
import { z } from 'zod'
import type { Identity } from '../ports/identity.js'
import type { Methods } from './method.js'
import { details, failureCode, reference, text } from './shapes.js'

const phone = matching({ max: 16, pattern: /^\+\d{5,15}$/, error: 'must be a number in E.164 format' })
const round = z.int().min(0)
const missingDetail = z.enum(['name', 'phone', 'dob', 'address', 'ssn_4'])

export const identityMethods = {
  sendCode: {
    kind: 'act',
    what: 'Texts a six-digit code to a phone. `refused`: the phone can never receive text messages.',
    question: z.object({ phone }),
    answer: z.object({ status: z.enum(['sent', 'refused']) }),
  },
  checkCode: {
    kind: 'check',
    what: 'Checks the code against the one that was texted for this `request_id`.',
    question: z.object({ phone, code: matching({ max: 6, pattern: /^\d{6}$/, error: 'must be six digits' }) }),
    answer: z.object({ status: z.enum(['correct', 'incorrect', 'expired']) }),
  },
  beginSna: {
    kind: 'act',
    what: 'Returns the URLs that the handset must open so that its carrier can identify the handset.',
    question: z.object({ phone }),
    answer: z.discriminatedUnion('status', [
      z.object({
        status: z.literal('ready'),
        urls: z
          .array(z.string().max(2_000, { abort: true }).check(z.url()))
          .min(1)
          .max(10),
      }),
      z.object({ status: z.literal('refused') }),
    ]),
  },
  checkSna: {
    kind: 'read',
    what: 'Returns the carrier’s result. `pending`: the handset has not opened the URLs yet.',
    question: z.object({ phone }),
    answer: z.object({ status: z.enum(['correct', 'incorrect', 'pending']) }),
  },
  match: {
    kind: 'read',
    what: "Matches the details to exactly one person. `last_name` is null for a person with one legal name. `missing`: the details still required for a match; empty if the details don't match anyone. `refused`: the error code with which to reject the person.",
    question: z.object({ details }),
    answer: z.discriminatedUnion('matched', [
      z.object({ matched: z.literal(true), person: reference, questions: z.boolean() }),
      z.object({
        matched: z.literal(false),
        missing: z.array(missingDetail).max(20),
        refused: failureCode.exactOptional(),
      }),
    ]),
  },
  questions: {
    kind: 'read',
    what: 'Returns knowledge questions for a person; none if no questions are required. Must return the same questions for the same `request_id` and round.',
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
    what: "Checks that all of the round's questions are answered correctly.",
    question: z.object({
      person: reference,
      round,
      answers: z.array(z.object({ question_id: text, answer_id: text })).max(20),
    }),
    answer: z.object({ status: z.enum(['correct', 'incorrect']) }),
  },
} satisfies Methods<Identity>
