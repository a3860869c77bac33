/** Vite plugins for the bundles that browsers load. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

/** Writes a Brotli file next to each script and stylesheet. The service sends the Brotli files to browsers. */
export const compress = {
  name: 'compress',
  writeBundle({ dir }, bundle) {
    for (const name of Object.keys(bundle).filter(each => /\.(?:js|css)$/.test(each)))
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(readFileSync(join(dir, name))))
  },
}

/**
 * Replaces Lit's module for styles. Most of that module's code either supports browsers without constructable style
 * sheets or checks embedded values. The bundles need neither.
 */
export const sheets = {
  name: 'sheets',
  load: id =>
    id.endsWith('/reactive-element/css-tag.js')
      ? `export const supportsAdoptingStyleSheets = true
         export class CSSResult {}
         export const getCompatibleStyle = style => style
         export const adoptStyles = (root, styles) => { root.adoptedStyleSheets = styles }
         export const unsafeCSS = text => {
           const sheet = new CSSStyleSheet()
           sheet.replaceSync(text)
           return sheet
         }
         export const css = ([text]) => unsafeCSS(text)`
      : null,
}
