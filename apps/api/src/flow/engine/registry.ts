import type { Step } from '@causeway/contract/session'
import { allocation } from '../steps/allocation/step.js'
import { blocked } from '../steps/blocked/step.js'
import { card } from '../steps/card/step.js'
import { code } from '../steps/code/step.js'
import { consent } from '../steps/consent/step.js'
import type { StepDeclaration } from '../steps/define-step.js'
import { deposits } from '../steps/deposits/step.js'
import { details } from '../steps/details/step.js'
import { discovering } from '../steps/discovering/step.js'
import { done } from '../steps/done/step.js'
import { link } from '../steps/link/step.js'
import { manage } from '../steps/manage/step.js'
import { number } from '../steps/number/step.js'
import { phone } from '../steps/phone/step.js'
import { questions } from '../steps/questions/step.js'
import { review } from '../steps/review/step.js'
import { selection } from '../steps/selection/step.js'

/** All of the flow's steps, by name. `steps` in the contract defines their order. */
export const registry: { readonly [S in Step]: StepDeclaration<S> } = {
  consent,
  phone,
  code,
  details,
  questions,
  link,
  discovering,
  selection,
  number,
  deposits,
  card,
  allocation,
  review,
  done,
  manage,
  blocked,
}
