/** Shows how a webhook's requests are signed. */
import type { Webhook } from '@causeway/sdk'
import { html, type TemplateResult } from 'lit'
import { factList } from '../../parts/fact-list.js'
import { card } from '../../parts/panel.js'
import { words } from '../../words.js'

const { webhook: text } = words

export const signingCard = ({ api_version, weak_secret }: Webhook): TemplateResult =>
  card(
    text.signing,
    factList(
      [text.secret, weak_secret ? text.weakSecret : html`whsec_<span class="mask">••••</span>`],
      [text.check, text.standard],
      [text.version, api_version ?? text.teamVersion],
    ),
  )
