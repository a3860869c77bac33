/**
 * Serves the page for an unknown frame URL, in the reader's language and, if the frame is built, with the frame's style
 * sheet.
 */
import { createHash } from 'node:crypto'
import { pageHeaders } from './headers.js'

export interface Words {
  title: string
  text: string
}

const en: Words = {
  title: 'This page can’t be opened anymore',
  text: "The link has expired, or the address is incomplete. Go back to the website you came from and start again. You won't lose anything you've done so far.",
}
const words: Record<string, Words> = {
  en,
  es: {
    title: 'Esta página ya no se puede abrir',
    text: 'Se abrió demasiado tarde o la dirección está incompleta. Vuelve al sitio web del que vienes y empieza de nuevo; nada de lo que hiciste se ha perdido.',
  },
  ar: {
    title: 'لم يعد فتح هذه الصفحة ممكنًا',
    text: 'فُتحت بعد فوات الأوان أو أن عنوانها غير مكتمل. ارجع إلى الموقع الذي جئت منه وابدأ من جديد؛ لم يضع شيء مما أنجزته.',
  },
}

/** Returns the supported languages that an `Accept-Language` header accepts, most preferred first. */
export function languagesOf(accepted: string | undefined): string[] {
  const ranges = (accepted ?? '').split(',').flatMap((range, place) => {
    const [tag = '', ...more] = range.trim().toLowerCase().split(';')
    const language = tag.split(/[-_]/)[0]!
    const weight = Number(/^\s*q=([\d.]+)\s*$/.exec(more.find(each => /^\s*q=/.test(each)) ?? 'q=1')?.[1] ?? 0)
    return Object.hasOwn(words, language) && weight > 0 ? [{ language, weight, place }] : []
  })
  return ranges.sort((a, b) => b.weight - a.weight || a.place - b.place).map(({ language: name }) => name)
}

/**
 * @param shell the frame's template, which links to the style sheet
 * @param ancestors the origins that may frame the response
 */
export const sorry = (shell: string, accepted: string | undefined, status: number, ancestors: string): Response =>
  textPage(shell, accepted, { words, status, ancestors })

/** A page that has only text. */
interface TextPage {
  /** The text by language, with at least English. */
  words: Readonly<Record<string, Words>>
  status: number
  /** The origins that may frame the response. */
  ancestors: string
  /** A script to run in the page. */
  script?: string
}

/** Serves text in the reader's language. @param shell the frame's template, which links to the style sheet */
export function textPage(
  shell: string,
  accepted: string | undefined,
  { words, status, ancestors, script }: TextPage,
): Response {
  const language = languagesOf(accepted)[0] ?? 'en'
  const { title, text } = words[language] ?? words['en']!
  const style = /<link rel="stylesheet"[^<>]*>/.exec(shell)?.[0] ?? ''
  const page = `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}" data-display="page"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>${title}</title>${style}</head>
<body><div class="shell"><main class="state"><h1>${title}</h1><p>${text}</p></main></div>${script ? `<script>${script}</script>` : ''}</body></html>`
  return new Response(page, {
    status,
    headers: { ...pageHeaders(ancestors, [], script ? { script: hashOf(script) } : null), Vary: 'Accept-Language' },
  })
}

/** Returns the hash by which a page's policy allows an inline script. */
const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`
