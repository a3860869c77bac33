/** Endpoints for the users of the console. They exist only on the console's own listener, not in the API. */
import { z } from 'zod'
import { endpoint } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { timestamp } from '../fields/shared.js'
import { emailText } from '../text.js'

export const consoleRoles = ['viewer', 'support', 'engineer', 'finance', 'admin'] as const

const role = z.enum(consoleRoles)
const operator = z.boolean().describe('True for a user who may also use the operator endpoints')
const name = z.string().max(200).describe('The name that the audit log shows: 1 to 100 characters')

const user = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().nullable().describe('Null until the user accepts the invitation'),
  role,
  operator,
  status: z.enum(['invited', 'active', 'disabled']),
  current: z.boolean().describe('True for the user who sent the request'),
  sessions: z.int().describe('The number of active sessions'),
  signed_in_at: timestamp.nullable().describe('The latest sign-in'),
  created_at: timestamp,
})
const invitation = z.object({
  link: z.string().describe('Send this link to the user. It is shown once'),
  expires_at: timestamp,
})
const passkey = z.object({
  id: z.string(),
  name: z.string(),
  synced: z.boolean().describe("True if the passkey is copied between the user's devices"),
  last_used_at: timestamp.nullable(),
  created_at: timestamp,
})

const exampleUser = {
  id: 'cusr_4kYq8ZbT1mXd5',
  email: 'ines@example.com',
  name: null,
  role: 'support',
  operator: false,
  status: 'invited',
  current: false,
  sessions: 0,
  signed_in_at: null,
  created_at: examples.times.created_at,
} as const
const examplePasskey = {
  id: 'cpk_4kYq8ZbT1mXd5',
  name: 'Passkey',
  synced: true,
  last_used_at: null,
  created_at: examples.times.created_at,
}
const exampleInvitation = {
  user: exampleUser,
  invitation: {
    link: 'https://console.example.com/sign-in#invitation=cinv_…',
    expires_at: examples.times.updated_at,
  },
}
const options = z.record(z.string(), z.unknown()).describe('The options for the browser')
const credential = z.record(z.string(), z.unknown()).describe("The browser's response to the options")

export const consoleUsers = {
  listConsoleUsers: endpoint({
    method: 'GET',
    path: '/console/users',
    summary: 'List the users of the console',
    answer: z.object({ data: z.array(user) }),
    example: { answer: { data: [exampleUser] } },
  }),
  listConsoleUserNames: endpoint({
    method: 'GET',
    path: '/console/users/names',
    summary: 'List the names of the users',
    description: 'Contains the users of the team who have accepted their invitation, including disabled ones.',
    answer: z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) }),
    example: { answer: { data: [{ id: exampleUser.id, name: 'Ines Farrow' }] } },
  }),
  inviteConsoleUser: endpoint({
    method: 'POST',
    path: '/console/users',
    summary: 'Invite a user',
    description: 'Only an operator can invite another operator, who needs the admin role.',
    body: z.object({
      email: emailText('must be an email address, such as ana@example.com'),
      role,
      operator: operator.optional(),
    }),
    answer: z.object({ user, invitation }),
    example: { request: { email: 'ines@example.com', role: 'support' }, answer: exampleInvitation },
  }),
  updateConsoleUser: endpoint({
    method: 'POST',
    path: '/console/users/:cusr_id',
    summary: 'Change the role of a user, or disable or enable the user',
    description: "Disabling a user ends the user's sessions. Users can't change themselves.",
    body: z.object({ role: role.optional(), status: z.enum(['active', 'disabled']).optional() }),
    answer: z.object({ user }),
    errors: ['NOT_FOUND'],
    example: { request: { role: 'admin' }, answer: { user: { ...exampleUser, role: 'admin' } } },
  }),
  reinviteConsoleUser: endpoint({
    method: 'POST',
    path: '/console/users/:cusr_id/invitation',
    summary: 'Create a new invitation for a user',
    description:
      "For a user who lost their passkeys, or whose invitation expired. Removes the user's passkeys, sign-ins with the OpenID provider and unused invitations, and ends their sessions.",
    answer: z.object({ user, invitation }),
    errors: ['NOT_FOUND'],
    example: { answer: exampleInvitation },
  }),
}

/** Endpoints for a user's own account. */
export const consoleAccount = {
  retrieveConsoleAccount: endpoint({
    method: 'GET',
    path: '/console/account',
    summary: 'Retrieve your account',
    answer: z.object({
      email: z.string(),
      name: z.string().nullable(),
      passkeys: z.array(passkey),
    }),
    example: { answer: { email: 'ines@example.com', name: 'Ines Farrow', passkeys: [examplePasskey] } },
  }),
  createPasskeyOptions: endpoint({
    method: 'POST',
    path: '/console/account/passkeys/options',
    summary: 'Create the options for a new passkey',
    answer: options,
    example: { answer: {} },
  }),
  addPasskey: endpoint({
    method: 'POST',
    path: '/console/account/passkeys',
    summary: 'Add a passkey',
    body: z.object({ credential, passkey_name: name.optional() }),
    answer: passkey,
    example: { request: { credential: {} }, answer: examplePasskey },
  }),
  removePasskey: endpoint({
    method: 'POST',
    path: '/console/account/passkeys/:cpk_id/remove',
    summary: 'Remove a passkey',
    description: 'The last passkey of a user who cannot sign in otherwise is kept.',
    answer: z.object({ id: z.string() }),
    errors: ['NOT_FOUND'],
    example: { answer: { id: 'cpk_4kYq8ZbT1mXd5' } },
  }),
}
