import { afterAll, afterEach } from 'vitest'
import { stopStarted } from './cleanup.js'

afterEach(() => stopStarted('test'))
afterAll(() => stopStarted('all'))
