/** Renders the first screen on the server, which inserts it into the frame's page. This module is built for Node. */
import type { Init } from '@causeway/contract/frame'
import type { FirstScreen, SessionView, ViewOf } from '@causeway/contract/session'
import { html, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { FlowApp, titleOf } from '../app.js'
import { initial } from '../machine.js'
import { ConsentScreen } from '../screens/consent/consent.js'
import { paletteOf, type Scheme } from '../theme.js'
import { type Language, loadLanguage } from '../words/language.js'
import { renderMarkup } from './markup.js'

interface Drawable {
  render(): TemplateResult
}

/** The app, rendered without a document. */
@customElement('static-flow')
class StaticApp extends FlowApp {
  constructor(view: ViewOf<'consent'>, language: Language) {
    super()
    this.state = { ...initial, phase: 'flow', view }
    this.language = language
    this.screen = Object.assign(new ConsentScreen(), { view, language })
  }

  get markup(): string {
    const screen = this.screen as unknown as Drawable
    // Use a `div`, because the screen's own element would start rendering as soon as the app defines it.
    return renderMarkup(this.render(), () => html`<div>${screen.render()}</div>`)
  }
}

/**
 * Renders the consent step the way the app first renders it.
 * @param languages the languages that the host page and the person prefer, in order of preference
 */
export async function drawFirstScreen(
  view: SessionView,
  { appearance, theme }: Pick<Init, 'appearance' | 'theme'>,
  languages: readonly (string | null)[],
): Promise<FirstScreen> {
  if (view.step !== 'consent') throw new Error(`the first screen is consent, not ${view.step}`)
  const language = await loadLanguage(languages)
  const app = new StaticApp(view, language)
  const chosen = appearance ?? view.appearance ?? 'system'
  const colors = (scheme: Scheme) =>
    Object.entries(paletteOf(scheme, view.brand.primary_color, theme))
      .map(([name, value]) => `${name}:${value}`)
      .join(';')
  return {
    title: titleOf(view, language),
    lang: new Intl.Locale(language.locale).baseName,
    dir: language.dir,
    scheme: chosen === 'system' ? null : chosen,
    html: app.markup,
    css: `:root{${colors('light')}}:root[data-scheme="dark"]{${colors('dark')}}.progress-fill{--share:${app.percent}%}`,
  }
}
