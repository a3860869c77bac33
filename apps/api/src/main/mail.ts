import { SECOND_MS } from '@causeway/contract/time'
import { createTransport } from 'nodemailer'
import { ConfigError } from '../platform/config-error.js'
import { type Mail, MailError } from '../platform/outbound/mail.js'
import { isLoopbackHost } from './hardening.js'

export interface MailConfig {
  host: string
  port: number
  /** True to use TLS from the first byte, rather than after STARTTLS. */
  secure: boolean
  user: string | null
  password: string | null
  from: string
}

const example = 'smtps://user:password@mail.example.com:465'

/** Reads the mail server, or null if none is configured. Throws ConfigError. */
export function readMailConfig(env: NodeJS.ProcessEnv): MailConfig | null {
  const text = env['SMTP_URL']?.trim()
  const from = env['MAIL_FROM']?.trim()
  if (!text && !from) return null
  if (!text || !from) throw new ConfigError('SMTP_URL and MAIL_FROM must be set together, or neither of them.')
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || url.pathname.length > 1 || url.search !== '')
    throw new ConfigError(`SMTP_URL must be an address such as ${example}, with percent-encoded credentials.`)
  if (from.length > 254 || !/^[^\s@<>",;]+@[^\s@<>",;]+$/.test(from))
    throw new ConfigError('MAIL_FROM must be an email address without a name, such as reports@example.com.')
  const secure = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    user: url.username === '' ? null : decodeURIComponent(url.username),
    password: url.password === '' ? null : decodeURIComponent(url.password),
    from,
  }
}

/** Codes of nodemailer for messages that the server will never accept. */
const permanent: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE'])

/** Creates the port to a mail server. Connections to other machines are always encrypted. */
export function createMail({ host, port, secure, user, password, from }: MailConfig): Mail {
  const transport = createTransport({
    host,
    port,
    secure,
    requireTLS: !isLoopbackHost(host),
    ...(user !== null && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: 10 * SECOND_MS,
    greetingTimeout: 10 * SECOND_MS,
    socketTimeout: 30 * SECOND_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ id, to, subject, text, attachment }) {
      try {
        await transport.sendMail({
          messageId: `<${id}@${from.slice(from.indexOf('@') + 1)}>`,
          from,
          bcc: [...to],
          subject,
          text,
          ...(attachment && {
            attachments: [{ filename: attachment.name, contentType: attachment.type, content: attachment.text }],
          }),
        })
      } catch (error) {
        const { code = 'UNKNOWN', responseCode } = error as { code?: string; responseCode?: number }
        const isPermanent = permanent.has(code) && (responseCode === undefined || responseCode >= 500)
        throw new MailError(`The mail server did not accept the message: ${responseCode ?? code}.`, isPermanent)
      }
    },
  }
}
