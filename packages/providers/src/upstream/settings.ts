import type { ProviderContext } from '@causeway/connector/provider/provider'
import { choice, type SettingValues, secret, text } from '@causeway/connector/provider/settings'

export const settings = {
  UPSTREAM_API_URL: text({
    what: 'the base address of the upstream’s API',
    pattern: /^https:\/\/[\w.:/-]{1,200}[\w/]$|^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?(?:\/[\w./-]{0,100})?$/,
    mustBe: 'an https address such as https://api.example.com, or http on this machine',
  }),
  UPSTREAM_API_KEY: secret({
    what: 'a secret key of your team at the upstream',
    pattern: /^[\x21-\x7e]{8,200}$/,
    mustBe: 'a secret key, without spaces',
  }),
  UPSTREAM_WEBHOOK_SECRET: secret({
    what: 'the hmac_secret of the webhooks that you created at the upstream',
    pattern: /^[\x20-\x7e]{24,255}$/,
    mustBe: '24 to 255 printable characters, the same as in the webhooks',
  }),
  UPSTREAM_NAME: text({
    what: 'the name of the company that runs the upstream, which the consent documents show, or none',
    pattern: /^[\p{L}\p{N}][\p{L}\p{N} .,&'’()-]{0,59}$/u,
    mustBe: '1 to 60 letters, digits, spaces and punctuation such as an ampersand',
    fallback: 'none',
  }),
  UPSTREAM_ENVIRONMENT: choice('the environment of the upstream’s key', ['sandbox', 'production'], 'sandbox'),
}

export type UpstreamSettings = SettingValues<typeof settings>
export type Context = ProviderContext<typeof settings>
