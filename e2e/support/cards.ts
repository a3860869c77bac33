import type { Flow } from './flow.js'

export interface Card {
  name: string
  number: string
  expires: string
  code: string
  zip: string
}

/** Cards of people in the sandbox, with what is printed on them. */
export const cards = {
  sapphire: {
    name: 'Chase Sapphire Reserve',
    number: '4000 0000 0008 1580',
    expires: '03/28',
    code: '878',
    zip: '78758',
  },
  venture: { name: 'Capital One Venture', number: '4000 0000 0009 0342', expires: '12/30', code: '123', zip: '78701' },
} satisfies Record<string, Card>

/** Enters the details that the screen asks for. */
export async function enterCard(flow: Flow, { name, number, expires, code, zip }: Card): Promise<void> {
  await flow.at(`Can you confirm your ${name}?`)
  const details = { 'Card number': number, Expires: expires, 'Security code': code, 'Billing ZIP code': zip }
  for (const [label, text] of Object.entries(details)) {
    const field = flow.field(label)
    if (await field.isVisible()) await field.fill(text)
  }
  await flow.press('Check this card')
}
