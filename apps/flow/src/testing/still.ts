/** Waits until no finite animation runs: a screen that is fading in has less contrast than it will have. */
export const still = (): Promise<unknown> =>
  Promise.allSettled(
    document
      .getAnimations()
      .flatMap(each => (each.effect?.getComputedTiming().endTime === Infinity ? [] : each.finished)),
  )
