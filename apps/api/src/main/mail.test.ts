import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { MailError } from '../platform/outbound/mail.js'
import { stopAtEnd } from '../testing/cleanup.js'
import { createMail, readMailConfig } from './mail.js'

const good = { SMTP_URL: 'smtps://us%40er:pa%3Ass@mail.example.com', MAIL_FROM: 'reports@example.com' }

describe('the mail server', () => {
  it('is read from two settings, or is absent', () => {
    expect(readMailConfig({})).toBeNull()
    expect(readMailConfig(good)).toEqual({
      host: 'mail.example.com',
      port: 465,
      secure: true,
      user: 'us@er',
      password: 'pa:ss',
      from: 'reports@example.com',
    })
    expect(readMailConfig({ ...good, SMTP_URL: 'smtp://localhost' })).toMatchObject({
      port: 587,
      secure: false,
      user: null,
    })
  })

  it.each([
    [{ SMTP_URL: good.SMTP_URL }, /must be set together/],
    [{ MAIL_FROM: good.MAIL_FROM }, /must be set together/],
    [{ ...good, SMTP_URL: 'https://user:secret@mail.example.com' }, /^SMTP_URL must be/],
    [{ ...good, SMTP_URL: 'smtp://mail.example.com/path' }, /^SMTP_URL must be/],
    [{ ...good, MAIL_FROM: 'Reports <reports@example.com>' }, /^MAIL_FROM must be/],
  ])('is rejected: %o', (env, message) => {
    expect(() => readMailConfig(env)).toThrow(message)
    expect(() => readMailConfig(env)).not.toThrow(/secret|pa%3Ass/)
  })
})

/** Starts a server that speaks SMTP and answers RCPT with a code. */
async function startServer(answer: string) {
  const received: string[] = []
  function speak(socket: Socket) {
    let isData = false
    let rest = ''
    socket.write('220 test\r\n')
    socket.on('error', () => {})
    socket.on('data', chunk => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop()!
      for (const line of lines) {
        received.push(line)
        if (isData && line !== '.') continue
        if (line === 'DATA') socket.write('354 go on\r\n')
        else if (line.startsWith('RCPT')) socket.write(`${answer}\r\n`)
        else if (line === 'QUIT') socket.end('221 bye\r\n')
        else socket.write('250 ok\r\n')
        isData = line === 'DATA'
      }
    })
  }
  const server = createServer(speak).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stopAtEnd(async () => void server.close())
  const { port } = server.address() as { port: number }
  return {
    received,
    mail: createMail({
      host: '127.0.0.1',
      port,
      secure: false,
      user: null,
      password: null,
      from: 'reports@example.com',
    }),
  }
}

const message = {
  id: 'rpt_1',
  to: ['a@example.com', 'b@example.com'],
  subject: 'Report',
  text: 'It is attached.',
  attachment: { name: 'rpt_1.csv', type: 'text/csv', text: 'id,status\r\n' },
}

describe('a message', () => {
  it('goes to every recipient without naming them to one another', async () => {
    const { received, mail } = await startServer('250 ok')
    await mail.send(message)
    expect(received.filter(line => line.startsWith('RCPT'))).toEqual([
      'RCPT TO:<a@example.com>',
      'RCPT TO:<b@example.com>',
    ])
    const text = received.slice(received.indexOf('DATA')).join('\n')
    expect(text).toContain('Message-ID: <rpt_1@example.com>')
    expect(text).toContain('filename=rpt_1.csv')
    expect(text).not.toMatch(/[ab]@example\.com/)
  })

  it.each([
    ['550 no such mailbox', true],
    ['451 later', false],
  ])('that is answered with %s: permanent is %s', async (answer, permanent) => {
    const { mail } = await startServer(answer)
    const error = await mail.send(message).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(MailError)
    expect(error).toMatchObject({ permanent, message: expect.not.stringMatching(/@/) })
  })

  it('is not accepted by a server that is not there', async () => {
    const mail = createMail({
      host: '127.0.0.1',
      port: 1,
      secure: false,
      user: null,
      password: null,
      from: 'r@example.com',
    })
    await expect(mail.send(message)).rejects.toMatchObject({ permanent: false })
  })
})
