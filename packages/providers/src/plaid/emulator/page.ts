/** The pages of the emulated Hosted Link, which a browser opens: choose an institution, sign in, consent. */
import type { EmulatedAccounts, EmulatedInstitution } from './bank.js'
import { users } from './bank.js'

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)

const html = (title: string, body: string, status = 200): Response =>
  new Response(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>body{font:16px system-ui;max-width:26rem;margin:2rem auto;padding:0 1rem}
button,input{font:inherit;padding:.6rem;margin:.3rem 0;width:100%;box-sizing:border-box}
label.account{display:block}label.account input{width:auto}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`,
    { status, headers: { 'content-type': 'text/html; charset=utf-8' } },
  )

const closeForm = (path: string) => `<form method="post" action="${path}/close"><button>Close</button></form>`

export const showEnded = (): Response =>
  html('This page has ended', '<p>Return to the site that sent you here.</p>', 410)

export const showInstitutions = (path: string, all: readonly EmulatedInstitution[]): Response =>
  html(
    'Choose your institution',
    all
      .map(
        ({ id, name }) =>
          `<form method="get"><input type="hidden" name="institution" value="${id}"><button>${escapeHtml(name)}</button></form>`,
      )
      .join('') + closeForm(path),
  )

export const showSignIn = (path: string, { id, name }: EmulatedInstitution, error = ''): Response =>
  html(
    `Sign in to ${name}`,
    `${error && `<p role="alert">${escapeHtml(error)}</p>`}<form method="post" action="${path}/sign-in">
<input type="hidden" name="institution" value="${id}">
<label>Username <input name="username" value="user_good" autocomplete="off"></label>
<label>Password <input name="password" type="password" value="pass_good" autocomplete="off"></label>
<button>Sign in</button></form><ul>${Object.entries(users)
      .map(([user, { text }]) => `<li><code>${user}</code> ${escapeHtml(text)}</li>`)
      .join('')}</ul>${closeForm(path)}`,
  )

export const showConsent = (path: string, { name }: EmulatedInstitution, { accounts }: EmulatedAccounts): Response =>
  html(
    `Share accounts at ${name}`,
    `<form method="post" action="${path}/finish">${accounts
      .map(
        ({ account_id, name: label, mask }) =>
          `<label class="account"><input type="checkbox" name="account" value="${account_id}" checked> ${escapeHtml(label)} ${mask ?? ''}</label>`,
      )
      .join('')}<button>Agree and continue</button></form>${closeForm(path)}`,
  )

export const showRepair = (path: string, { name }: EmulatedInstitution): Response =>
  html(
    `Sign in to ${name} again`,
    `<form method="post" action="${path}/finish"><button>Sign in</button></form>${closeForm(path)}`,
  )
