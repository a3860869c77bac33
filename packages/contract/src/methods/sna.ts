import { z } from 'zod'
import { entityMethod } from './method.js'

export const snaMethod = entityMethod({
  type: 'phone',
  name: 'sna',
  block: z.object({ urls: z.array(z.string()).describe('URLs to open on the handset') }),
  example: { start: {}, answer: {}, block: { urls: ['https://carrier.example/sna/sna_vrf_4kYq8ZbT1mXcQ'] } },
})
