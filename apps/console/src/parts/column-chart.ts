/** Renders up to a hundred stacked columns as SVG, with a table of the same numbers. */
import { html, nothing, type SVGTemplateResult, svg, type TemplateResult } from 'lit'
import type { Tone } from './marks.js'

interface Series {
  name: string
  tone: Tone
  values: readonly number[]
}

interface ChartOptions {
  /** A sentence that describes the chart. */
  label: string
  labels: readonly string[]
  series: readonly Series[]
  /** The sums of an earlier period, shown as a line. */
  previous?: Omit<Series, 'tone'>
  tableTitle: string
  firstColumn: string
  /** Formats a value for the chart's scale and table. */
  write?: (value: number) => string
}

const WIDTH = 660
const HEIGHT = 104
/** The width of one character of the scale, at the font size used on phones. */
const CHARACTER_WIDTH = 12.5

/** Returns a round number, no lower than the highest value, for the top of the scale. */
export function scaleTopOf(most: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, most)))
  return [1, 2, 4, 5, 8, 10].map(each => each * unit).find(each => each >= most) ?? 10 * unit
}

export function columnChart({
  label,
  labels,
  series,
  previous,
  tableTitle,
  firstColumn,
  write = String,
}: ChartOptions): TemplateResult {
  const sums = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  const top = scaleTopOf(Math.max(1, ...sums, ...(previous?.values ?? [])))
  const scale = [0, 0.5, 1].map(share => ({ y: HEIGHT - share * (HEIGHT - 8), text: write(Math.round(top * share)) }))
  const left = 10 + CHARACTER_WIDTH * Math.max(...scale.map(({ text }) => text.length))
  const step = (WIDTH - left) / Math.max(1, labels.length)
  const every = Math.ceil(labels.length / 6)
  const height = (value: number) => (value / top) * (HEIGHT - 8)
  const column = (index: number): SVGTemplateResult[] => {
    let y = HEIGHT
    return series.flatMap(({ tone, values }) => {
      const tall = height(values[index] ?? 0)
      if (tall === 0) return []
      y -= tall
      return svg`<rect class="c-${tone}" x=${(left + index * step + step * 0.12).toFixed(1)} y=${y.toFixed(1)}
        width=${(step * 0.76).toFixed(1)} height=${Math.max(1, tall - 1).toFixed(1)} rx="2" />`
    })
  }
  const lineOf = (values: readonly number[]) =>
    values
      .map((value, index) => `${(left + (index + 0.5) * step).toFixed(1)} ${(HEIGHT - height(value)).toFixed(1)}`)
      .map((point, index) => (index === 0 ? `M${point}` : `L${point}`))
      .join('')
  const columns = previous ? [...series, previous] : series
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT + 28}" role="img" aria-label=${label}>
      ${scale.map(
        ({ y, text }) =>
          svg`<path class="grid" d="M${left} ${y}H${WIDTH}" /><text x=${left - 6} y=${y + 4} text-anchor="end">${text}</text>`,
      )}
      ${labels.map((text, index) => [
        column(index),
        index % every === 0
          ? svg`<text x=${left + (index + 0.5) * step} y=${HEIGHT + 24} text-anchor="middle">${text}</text>`
          : nothing,
      ])}
      ${previous ? svg`<path class="previous" d=${lineOf(previous.values)} />` : nothing}
    </svg>
    <details class="as-table">
      <summary>${tableTitle}</summary>
      <table aria-label=${label}>
        <thead>
          <tr>
            <th scope="col">${firstColumn}</th>
            ${columns.map(({ name }) => html`<th scope="col" class="end">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${labels.map(
            (text, index) =>
              html`<tr>
                <td>${text}</td>
                ${columns.map(({ values }) => html`<td class="end">${write(values[index] ?? 0)}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </details>`
}

export const legend = (series: readonly Pick<Series, 'name' | 'tone'>[]): TemplateResult =>
  html`<span class="legend">${series.map(({ name, tone }) => html`<span><i class="dot c-${tone}"></i>${name}</span>`)}</span>`
