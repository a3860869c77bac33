/**
 * Styles for the reference page: one column on a phone, a table of contents beside the text on a wide screen, and light
 * and dark themes.
 */
export const style = `:root {
  color-scheme: light dark;
  --ground: light-dark(#fbfaf8, #14171a);
  --paper: light-dark(#ffffff, #1b1f23);
  --ink: light-dark(#1d2226, #e8e6e1);
  --soft: light-dark(#5b646b, #a3abb2);
  --line: light-dark(#e3e0da, #30363c);
  --link: light-dark(#0b5f4b, #6fd3b5);
  --get: light-dark(#0b5f4b, #6fd3b5);
  --write: light-dark(#8a4b00, #f0b465);
  --end: light-dark(#9b1c2c, #f2949f);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0 auto;
  max-width: 78rem;
  padding: 1rem;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif;
}
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; }
header { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; align-items: baseline; }
header nav { display: flex; flex-wrap: wrap; gap: 0.75rem; }
h1, h2, h3 { line-height: 1.25; }
h2 { margin-top: 3rem; }
h3 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
h3 b { color: var(--write); }
h3 b.get { color: var(--get); }
h3 b.delete { color: var(--end); }
small, figcaption, caption { color: var(--soft); font-size: 0.875rem; }
article { background: var(--paper); border: 1px solid var(--line); border-radius: 0.75rem; padding: 1rem; margin: 1rem 0; }
article:target { border-color: var(--link); }
code { font: 0.875rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { overflow-x: auto; margin: 0.25rem 0; padding: 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--ground); }
pre code { overflow-wrap: normal; }
figure { margin: 0; min-width: 0; }
.examples { display: grid; gap: 1rem; margin: 1rem 0; }
table { width: 100%; border-collapse: collapse; margin: 1rem 0; table-layout: fixed; }
caption { text-align: left; font-weight: 600; }
th, td { text-align: left; vertical-align: top; padding: 0.375rem 0.75rem 0.375rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
th { width: 40%; font-weight: 400; }
summary { cursor: pointer; padding: 0.25rem 0; }
details caption { display: none; }
.contents ul { list-style: none; padding: 0; margin: 0; }
.contents ul ul { padding-left: 0.75rem; border-left: 1px solid var(--line); }
.contents a { display: block; padding: 0.125rem 0; text-decoration: none; }
.contents a:hover { text-decoration: underline; }
@media (max-width: 59.99rem) { .contents ul ul { display: none; } }
@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 0 2.5rem; }
  header { grid-column: 1 / -1; }
  .contents { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto; font-size: 0.9375rem; }
  .examples { grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); }
}
@media print { .contents, .skip { display: none; } }
`
