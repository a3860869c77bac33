import type { Step } from './step.js'

/** Product objects lost their id: their name is what tells them apart. */
export const downTo202404: Step = { version: '2024-04-04', behaviours: ['product_ids'] }
