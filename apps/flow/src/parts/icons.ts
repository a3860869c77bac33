/**
 * Line icons in a 20-unit square, drawn in the color of the adjacent text. No icon conveys meaning without text. These
 * icons load with the first screen. Most icons used only by later screens are defined with those screens.
 */
import { html, type SVGTemplateResult, svg, type TemplateResult } from 'lit'

export const icon = (paths: SVGTemplateResult, turns = false): TemplateResult =>
  html`<svg class=${turns ? 'icon turns' : 'icon'} viewBox="0 0 20 20" aria-hidden="true">${paths}</svg>`

export const icons = {
  back: () => icon(svg`<path d="M12 4.5 6.5 10l5.5 5.5" />`, true),
  close: () => icon(svg`<path d="m5 5 10 10M15 5 5 15" />`),
  down: () => icon(svg`<path d="m5 7.5 5 5 5-5" />`),
  lock: () => icon(svg`<rect x="4" y="9" width="12" height="8" rx="2" /><path d="M7 9V6.5a3 3 0 0 1 6 0V9" />`),
  check: () => icon(svg`<path d="m4.5 10.5 3.75 3.75L15.5 6.5" />`),
  alert: () => icon(svg`<circle cx="10" cy="10" r="7.25" /><path d="M10 6.25v4.5M10 13.6v.05" />`),
  info: () => icon(svg`<circle cx="10" cy="10" r="7.25" /><path d="M10 9.25v4.5M10 6.4v.05" />`),
  list: () =>
    icon(svg`<rect x="2.75" y="4.5" width="14.5" height="11" rx="2" /><path d="M2.75 8.25h14.5M5.75 12.25h3" />`),
  target: () => icon(svg`<circle cx="10" cy="10" r="7.25" /><circle cx="10" cy="10" r="3" />`),
  gauge: () => icon(svg`<path d="M3.2 14a7.25 7.25 0 1 1 13.6 0M10 12l3-4" />`),
  hold: () => icon(svg`<circle cx="10" cy="10" r="7.25" /><path d="M8 7.5v5M12 7.5v5" />`),
  offline: () =>
    icon(
      svg`<path d="M2.5 8.2a11 11 0 0 1 4-2.4M9.4 5a11 11 0 0 1 8.1 3.2M5.3 11.2a7 7 0 0 1 2.2-1.4M12 9.7a7 7 0 0 1 2.7 1.5M10 15v.05M3.5 3.5l13 13" />`,
    ),
  clock: () => icon(svg`<circle cx="10" cy="10" r="7.25" /><path d="M10 5.75V10l2.75 1.75" />`),
  shield: () => icon(svg`<path d="M10 2.5 4 4.75V9.5c0 4 2.6 6.6 6 8 3.4-1.4 6-4 6-8V4.75Z" />`),
  print: () =>
    icon(
      svg`<path d="M6 7.5V3h8v4.5M6 14H4.5A1.5 1.5 0 0 1 3 12.5V9a1.5 1.5 0 0 1 1.5-1.5h11A1.5 1.5 0 0 1 17 9v3.5a1.5 1.5 0 0 1-1.5 1.5H14M6 11.5h8V17H6Z" />`,
    ),
}
