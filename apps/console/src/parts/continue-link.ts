/** A button that copies a link to a session. The person enters a code and continues at their current step. */
import type { OpalSession, Team } from '@causeway/sdk'
import { html, nothing } from 'lit'
import { sentenceOf } from '../api.js'
import type { Console } from '../page.js'
import { may } from '../shapes.js'
import { words } from '../words.js'
import { copyText } from './copy.js'
import { icon } from './icons.js'

const { person: text } = words

/** Returns the button, or nothing if the user's role can't create links for people. */
export function continueLink(console: Console, session: OpalSession): unknown {
  if (!may(console.session, 'links')) return nothing
  return html`<button class="btn go" @click=${() => void copyLink(console, session)}>${icon('copy')}${text.link}</button>`
}

/** Creates a hosted link that resumes the session at its current step. */
async function copyLink(console: Console, { id }: OpalSession): Promise<void> {
  try {
    const { allowed_origins } = await console.api.get<Team>('/team')
    const [origin] = allowed_origins
    if (!origin) return console.say(text.noOrigin(may(console.session, 'settings')))
    const { data } = await console.api.send<{ data: { hosted_url?: string } }>('POST', '/opal/token', {
      session_id: id,
      redirect_url: `${origin}/`,
    })
    if (data.hosted_url) await copyText(console, data.hosted_url, text.linkDone)
  } catch (error) {
    console.say(sentenceOf(error))
  }
}
