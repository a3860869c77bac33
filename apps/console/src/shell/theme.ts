/** The color scheme: the system's, or the one that the user chose. The choice is kept in a cookie. */

export type Theme = 'system' | 'light' | 'dark'
export const themes: readonly Theme[] = ['system', 'light', 'dark']

const COOKIE = 'console_theme'
const YEAR_S = 365 * 86_400
const DARK = /\(\s*prefers-color-scheme:\s*dark\s*\)/

/** The original condition of each rule, by rule. */
const conditions = new WeakMap<CSSMediaRule, string>()

/** Returns every rule with a condition, including those of imported style sheets. */
function* mediaRules(sheets: Iterable<CSSStyleSheet>): Generator<CSSMediaRule> {
  for (const sheet of sheets)
    for (const rule of sheet.cssRules) {
      if (rule instanceof CSSMediaRule) yield rule
      else if (rule instanceof CSSImportRule && rule.styleSheet) yield* mediaRules([rule.styleSheet])
    }
}

/** Applies a color scheme by replacing the condition of the style sheets' rules for dark colors. */
function apply(theme: Theme): void {
  for (const rule of mediaRules(document.styleSheets)) {
    const original = conditions.get(rule) ?? rule.media.mediaText
    if (!DARK.test(original)) continue
    conditions.set(rule, original)
    rule.media.mediaText =
      theme === 'system' ? original : original.replace(DARK, theme === 'dark' ? '(min-width: 0)' : '(max-width: 0)')
  }
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme
}

/** Returns the user's choice. */
export function currentTheme(): Theme {
  const value = new RegExp(`(?:^|; )${COOKIE}=(\\w+)`).exec(document.cookie)?.[1]
  return themes.find(each => each === value) ?? 'system'
}

/** Keeps and applies the user's choice. */
export function setTheme(theme: Theme): void {
  const isSecure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API does not exist in every supported browser.
  document.cookie = `${COOKIE}=${theme}; Path=/; SameSite=Strict; Max-Age=${theme === 'system' ? 0 : YEAR_S}${isSecure}`
  apply(theme)
}

/** Applies the user's choice when the console starts. */
export const applyTheme = (): void => apply(currentTheme())
