/**
 * Runs axe in a page and its frames at half the cost of AxeBuilder. Here, axe loads once per document, and the page
 * itself combines the results. AxeBuilder loads axe for each run and opens another page to combine the results.
 */
import { createRequire } from 'node:module'
import type { Frame, Page } from '@playwright/test'

interface Finding {
  id: string
  nodes: { target: unknown[]; failureSummary?: string }[]
}

/** The parts of axe-core used in this file. */
interface Axe {
  utils: {
    getFrameContexts(context: object): { frameSelector: unknown; frameContext: object }[]
    shadowSelect(selector: unknown): Element | null
  }
  runPartial(context: object, options: object): Promise<unknown>
  finishRun(partials: unknown[], options: object): Promise<{ violations: Finding[] }>
}

/** The page's `axe` global. */
declare const axe: Axe

// Use AxeBuilder's copy of axe-core, because the workspace does not depend on axe-core directly.
const wrapper = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
const { source } = wrapper('axe-core') as { source: string }

const options = { resultTypes: ['violations'] }
/** With forced colors, axe compares the page's own text color with the system's background, so it can't judge contrast. */
const forcedOptions = { ...options, rules: { 'color-contrast': { enabled: false } } }

/**
 * Returns the results for a frame and its nested frames, in the order that `finishRun` requires. The results are JSON
 * because Playwright copies a string as a whole but copies any other value field by field.
 */
async function partials(frame: Frame, context: object, chosenOptions: object): Promise<string[]> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(source)
  // Wait for the animations to end, because text has less contrast while a screen fades in.
  await frame.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .flatMap(each => (each.effect?.getComputedTiming().endTime === Infinity ? [] : each.finished)),
    ).then(() => undefined),
  )
  const [own, contexts] = await frame.evaluate(
    async ([given, chosen]) => {
      const inner = axe.utils.getFrameContexts(given)
      return [JSON.stringify(await axe.runPartial(given, chosen)), inner] as const
    },
    [context, chosenOptions] as const,
  )
  const results = [own]
  for (const { frameSelector, frameContext } of contexts) {
    const element = await frame.evaluateHandle(selector => axe.utils.shadowSelect(selector), frameSelector)
    const inner = await element.asElement()?.contentFrame()
    results.push(...(inner ? await partials(inner, frameContext, chosenOptions) : ['null']))
  }
  return results
}

/** Returns all violations that axe finds on the page and in its frames. */
export async function violations(page: Page): Promise<string[]> {
  const isForced = await page.evaluate(() => matchMedia('(forced-colors: active)').matches)
  const chosenOptions = isForced ? forcedOptions : options
  const results = await partials(page.mainFrame(), { include: [], exclude: [] }, chosenOptions)
  const found = await page.evaluate(
    async ([json, chosen]) => (await axe.finishRun(JSON.parse(json), chosen)).violations,
    [`[${results}]`, chosenOptions] as const,
  )
  return found.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.target.join(' ')} ${node.failureSummary}`))
}
