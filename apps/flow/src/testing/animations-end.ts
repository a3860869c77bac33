/** Waits until no finite animation is running, because a screen that is still fading in has lower contrast. */
export const animationsEnd = (): Promise<unknown> =>
  Promise.allSettled(
    document
      .getAnimations()
      .flatMap(each => (each.effect?.getComputedTiming().endTime === Infinity ? [] : each.finished)),
  )
