/** Waits until no finite animation is running: a screen that is still fading in has less than its final contrast. */
export const still = (): Promise<unknown> =>
  Promise.allSettled(
    document
      .getAnimations()
      .flatMap(each => (each.effect?.getComputedTiming().endTime === Infinity ? [] : each.finished)),
  )
