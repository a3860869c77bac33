/** Stacked columns as SVG, at most a hundred of them, with a table of the same numbers. */
import { html, nothing, type SVGTemplateResult, svg, type TemplateResult } from 'lit'
import type { Tone } from './marks.js'

interface Series {
  name: string
  tone: Tone
  values: readonly number[]
}

interface ChartOptions {
  /** What it shows, in a sentence. */
  label: string
  labels: readonly string[]
  series: readonly Series[]
  tableTitle: string
  firstColumn: string
  /** Writes a value on the scale. */
  write?: (value: number) => string
}

const WIDTH = 660
const HEIGHT = 104
const LEFT = 34

/** Rounds up to a number that reads well at the top of a scale. */
export function topOf(most: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, most)))
  return [1, 2, 4, 5, 8, 10].map(each => each * unit).find(each => each >= most) ?? 10 * unit
}

export function columns({
  label,
  labels,
  series,
  tableTitle,
  firstColumn,
  write = String,
}: ChartOptions): TemplateResult {
  const sums = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  const top = topOf(Math.max(1, ...sums))
  const step = (WIDTH - LEFT) / Math.max(1, labels.length)
  const every = Math.ceil(labels.length / 6)
  const height = (value: number) => (value / top) * (HEIGHT - 8)
  const column = (index: number): SVGTemplateResult[] => {
    let y = HEIGHT
    return series.flatMap(({ tone, values }) => {
      const tall = height(values[index] ?? 0)
      if (tall === 0) return []
      y -= tall
      return svg`<rect class="c-${tone}" x=${(LEFT + index * step + step * 0.12).toFixed(1)} y=${y.toFixed(1)}
        width=${(step * 0.76).toFixed(1)} height=${Math.max(1, tall - 1).toFixed(1)} rx="2" />`
    })
  }
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT + 18}" role="img" aria-label=${label}>
      ${[0, 0.5, 1].map(share => {
        const y = HEIGHT - share * (HEIGHT - 8)
        return svg`<path class="grid" d="M${LEFT} ${y}H${WIDTH}" /><text x="0" y=${y + 4}>${write(Math.round(top * share))}</text>`
      })}
      ${labels.map((text, index) => [
        column(index),
        index % every === 0
          ? svg`<text x=${LEFT + (index + 0.5) * step} y=${HEIGHT + 16} text-anchor="middle">${text}</text>`
          : nothing,
      ])}
    </svg>
    <details class="as-table">
      <summary>${tableTitle}</summary>
      <table aria-label=${label}>
        <thead>
          <tr>
            <th scope="col">${firstColumn}</th>
            ${series.map(({ name }) => html`<th scope="col" class="end">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${labels.map(
            (text, index) =>
              html`<tr>
                <td>${text}</td>
                ${series.map(({ values }) => html`<td class="end">${write(values[index] ?? 0)}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </details>`
}

export const legend = (series: readonly Pick<Series, 'name' | 'tone'>[]): TemplateResult =>
  html`<span class="legend">${series.map(({ name, tone }) => html`<span><i class="dot c-${tone}"></i>${name}</span>`)}</span>`
