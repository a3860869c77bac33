/** Line icons on a 16-by-16 grid, in the color of the adjacent text. No icon conveys meaning without text. */
import { html, svg, type TemplateResult } from 'lit'

const paths = {
  home: 'M2.5 7 8 2.5 13.5 7v6.5h-11zM6.5 13.5v-4h3v4',
  people:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 2.8a2.5 2.5 0 0 1 0 4.4M12.5 9.9c1.2.6 2 1.8 2 3.6',
  route:
    'M4 4.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3M12 14.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3M5.5 3h5a2.5 2.5 0 0 1 0 5h-5a2.5 2.5 0 0 0 0 5h5',
  pay: 'M1.5 4.5h9M8 2l2.5 2.5L8 7M14.5 11.5h-9M8 9l-2.5 2.5L8 14',
  down: 'M8 2v8.5M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
  undo: 'M5.5 3 2.5 6l3 3M2.5 6h7a4 4 0 0 1 0 8h-3',
  list: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  bolt: 'M9 1.5 3.5 9H8l-1 5.5L12.5 7H8z',
  hook: 'M8 6.5a2.5 2.5 0 1 0-2.2-1.3L3.8 9M8 6l2.2 4M4 9.5a2.5 2.5 0 1 0 2.5 2.5h4M11.5 9.5a2.5 2.5 0 1 1-1.8 4.2',
  send: 'M14.5 1.5 1.5 6.5l5 3 3 5zM6.5 9.5l8-8',
  gear: 'M2.5 4.5h5M11.5 4.5h2M2.5 11.5h2M8.5 11.5h5M9.5 6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4M6.5 13.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
  flask: 'M6 1.5h4M6.5 1.5v4L2.7 12.6a1.3 1.3 0 0 0 1.2 1.9h8.2a1.3 1.3 0 0 0 1.2-1.9L9.5 5.5v-4M4.5 10h7',
  pulse: 'M1.5 8h3L6.5 3l3 10 2-5h3',
  plug: 'M5.5 1.5v3.5M10.5 1.5v3.5M3.5 5h9v3a4.5 4.5 0 0 1-9 0zM8 12.5v2',
  scale: 'M8 2v12M4.5 14h7M3 4h10M3 4 1.2 9h3.6zM13 4l-1.8 5h3.6z',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
  find: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10M14 14l-3.5-3.5',
  ok: 'M3 8.5 6.5 12 13 4.5',
  x: 'M4 4l8 8M12 4l-8 8',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M8 5v3l2 1.5',
  hold: 'M5.5 3.5v9M10.5 3.5v9',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  next: 'M6 3.5 10.5 8 6 12.5',
  prev: 'M10 3.5 5.5 8l4.5 4.5',
  plus: 'M8 3v10M3 8h10',
  alert: 'M8 2 14.5 13.5h-13zM8 6.5v3M8 11.5h.01',
  lock: 'M4 7h8v6.5H4zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  dots: 'M3 8h.01M8 8h.01M13 8h.01',
  cursor: 'M3 3l10 4-4.5 1.5L7 13z',
  gone: 'M3.5 4.5h9M6.5 4.5v-2h3v2M4.5 4.5l.7 9h5.6l.7-9',
}
export type IconName = keyof typeof paths

export const icon = (name: IconName): TemplateResult =>
  html`<svg class="i" viewBox="0 0 16 16" aria-hidden="true">${svg`<path d=${paths[name]} />`}</svg>`
