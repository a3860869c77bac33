/**
 * Styles for the element's own parts. Colors come from the page's `--causeway-*` properties, then from the `theme`
 * property (`--t-*`, set on the box), then from the defaults in this file. The frame styles its own content.
 */
import { css } from 'lit'

export const styles = css`
  :host { display: contents; }
  :host([display='inline']) { display: block; }
  :host([hidden]), [hidden] { display: none !important; }

  .box {
    --surface: var(--causeway-surface, light-dark(var(--t-surface, #fff), var(--t-surface_dark, #14181f)));
    --text: var(--causeway-text, light-dark(var(--t-text, #12161f), var(--t-text_dark, #f2f4f8)));
    --accent: light-dark(var(--t-accent, var(--text)), var(--t-accent_dark, var(--text)));
    color-scheme: light;
    box-sizing: border-box;
    display: grid;
    grid-template: minmax(0, 1fr) / minmax(0, 1fr);
    padding: 0;
    border: 0;
    overflow: hidden;
    pointer-events: auto;
    background: var(--surface);
    color: var(--text);
    border-radius: var(--causeway-radius, calc(var(--t-radius, 16) * 1px));
    font: 16px/1.5 system-ui, sans-serif;
  }
  .box > * { grid-area: 1 / 1; }
  .dark { color-scheme: dark; }
  .system { color-scheme: light dark; }

  dialog {
    width: min(var(--causeway-width, 420px), 100%);
    height: min(var(--causeway-height, 720px), 100% - 32px);
    max-width: none;
    max-height: none;
    animation: rise 0.1s;
  }
  dialog:not([open], .hidden) { display: none; }
  .hidden { visibility: hidden; }
  dialog.hidden { position: fixed; inset: 0; margin: auto; }
  div.hidden { height: 0; }
  dialog::backdrop { background: var(--causeway-backdrop, #0b122080); }
  @media (max-width: 520px) {
    dialog.box { width: 100%; height: calc(100% - 24px); margin-bottom: 0; border-end-start-radius: 0; border-end-end-radius: 0; }
  }

  iframe { width: 100%; height: 100%; border: 0; visibility: hidden; }
  div > iframe { height: 480px; }
  .ready iframe { visibility: visible; }

  .state { display: grid; align-content: start; padding: 72px 20px 20px; }
  [role='status'] { animation: wait 0.15s; }
  .failed, h2 { display: grid; gap: 16px; }
  h2, p { margin: 0; }
  h2 { font-size: 1.375rem; }
  h2::before {
    content: '!' / '';
    width: 48px;
    border: 3px solid var(--accent);
    border-radius: 50%;
    line-height: 48px;
    text-align: center;
  }
  i { height: 14px; margin-top: 12px; border-radius: 12px; background: #8883; animation: pulse 1s infinite alternate; }
  b + i { width: 82%; height: 26px; }
  i + p, p + p { display: grid; grid-template: 36px / 36px 1fr; gap: 14px; margin-top: 24px; }
  p i { height: auto; margin: 0; }
  b { position: absolute; clip-path: inset(50%); }

  button {
    min-height: 44px;
    border: 0;
    border-radius: 12px;
    background: var(--accent);
    color: light-dark(var(--t-ink, var(--surface)), var(--t-ink_dark, var(--surface)));
    font: inherit;
    cursor: pointer;
  }
  button:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
  .close { z-index: 1; place-self: start end; width: 44px; margin: 8px; background: none; color: inherit; }

  @keyframes pulse { to { opacity: 0.5; } }
  @keyframes rise { from { opacity: 0; } }
  @keyframes wait { from, to { visibility: hidden; } }
  @media (prefers-reduced-motion) { i, dialog { animation: none; } }
`
