/**
 * A customer's minimal page: the script tag, the two elements, and a policy that allows no scripts except the kit's, no
 * inline styles and no string evaluation. The page has no script of its own, so the tests act as its script.
 */
import { expect, type Frame, type Page } from '@playwright/test'
import type { Service } from './processes.js'
import { type Host, servePage } from './serve-page.js'

const policy = (frame: string) =>
  [
    "default-src 'none'",
    `script-src ${frame}`,
    `frame-src ${frame}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

const page = (script: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>A customer's page</title>
<script ${script} crossorigin="anonymous"></script>
</head>
<body>
<main><h1>Your account</h1><p>What the customer has to say.</p><button type="button">Start</button>
<connect-element></connect-element>
<opal-balance-transfer-element></opal-balance-transfer-element>
</main>
</body></html>`

/**
 * Starts a server for the customer's page.
 * @param script the attributes of the kit's script tag
 * @param lax true for a page without a policy, which tests only the policies of the kit and the frame
 */
export function startHost(
  service: Service,
  { script = `src="${service.frameOrigin}/v1/kit.js"`, lax = false } = {},
): Promise<Host> {
  return servePage(page(script), {
    ...(lax
      ? {}
      : {
          'content-security-policy': policy(service.frameOrigin),
          'cross-origin-embedder-policy': 'require-corp',
        }),
    'referrer-policy': 'strict-origin-when-cross-origin',
  })
}

export type Tag = 'connect-element' | 'opal-balance-transfer-element'

/** An event that the page received from its element. */
export interface HostEvent {
  type: string
  [field: string]: unknown
}

export interface Opening {
  tag: Tag
  /** Provides the tokens for `getToken`, in place of the customer's server. */
  token: (reason: string) => string | Promise<string>
  display?: 'modal' | 'inline'
  appearance?: 'light' | 'dark' | 'system'
  /** True if the page cancels `element-exit` to keep the element open. */
  keepOpen?: boolean
  /** The maximum time without a message from the frame, in milliseconds. */
  timeout?: number
  /** The element's `locale`. */
  locale?: string
  /** The page's language; empty for a page that declares none. */
  lang?: string
}

const events = [
  'element-ready',
  'element-open',
  'element-event',
  'element-success',
  'element-error',
  'element-exit',
  'allocations-change',
  'allocations-confirmed',
]

/** Acts as the customer's script: provides tokens, opens the element, and records its events. */
export class HostPage {
  readonly page: Page
  readonly asked: string[] = []
  readonly heard: HostEvent[] = []
  /** The browser's messages about everything that a policy blocked. */
  readonly refused: string[] = []

  constructor(page: Page) {
    this.page = page
    page.on('console', message => {
      if (/Content Security Policy|Trusted/i.test(message.text())) this.refused.push(message.text())
    })
  }

  async open(host: Host, opening: Opening): Promise<void> {
    const { token, ...rest } = opening
    await this.listen(token)
    await this.page.goto(host.origin)
    await this.again(rest)
  }

  /** Lets every document on the page request tokens and report events. */
  async listen(token: Opening['token']): Promise<void> {
    await this.page.exposeFunction('giveToken', (reason: string) => {
      this.asked.push(reason)
      return token(reason)
    })
    await this.page.exposeFunction('hear', (heard: HostEvent) => {
      this.heard.push(heard)
    })
  }

  /** Opens the element on a page that has just been loaded, or in one of its frames. */
  async again(opening: Omit<Opening, 'token'>, where: Page | Frame = this.page): Promise<void> {
    await where.evaluate(
      async ([{ tag, display, appearance, keepOpen, timeout, locale, lang }, names]) => {
        document.documentElement.lang = lang

        const page = window as unknown as {
          giveToken: (reason: string) => Promise<string>
          hear: (heard: object) => Promise<void>
        }
        const element = document.querySelector(tag) as HTMLElement & {
          getToken: (reason: string) => Promise<string>
          open: () => Promise<unknown>
        }
        for (const name of names)
          element.addEventListener(name, event => {
            const { isTrusted: _, ...fields } = event as unknown as Record<string, unknown>
            void page.hear({ ...fields, type: event.type })
            if (event.type === 'element-exit' && keepOpen) event.preventDefault()
          })
        element.getToken = reason => page.giveToken(reason)
        Object.assign(element, { display, appearance, timeout, locale })
        void element.open().then(outcome => page.hear({ type: 'outcome', ...(outcome as object) }))
      },
      [
        {
          display: 'modal',
          appearance: 'system',
          keepOpen: false,
          timeout: 10_000,
          locale: null,
          lang: 'en',
          ...opening,
        },
        events,
      ] as const,
    )
  }

  /** Opens the same element again, as a button on the page would. */
  async reopen(tag: Tag): Promise<void> {
    await this.page.evaluate(name => {
      void (document.querySelector(name) as HTMLElement & { open: () => Promise<unknown> }).open()
    }, tag)
  }

  types(): string[] {
    return this.heard.map(({ type }) => type)
  }

  /** Waits until the page receives an event of this type. Returns the latest such event. */
  async hears(type: string): Promise<HostEvent> {
    await expect.poll(() => this.types(), { message: `the page should receive ${type}` }).toContain(type)
    return this.heard.findLast(heard => heard.type === type)!
  }
}
