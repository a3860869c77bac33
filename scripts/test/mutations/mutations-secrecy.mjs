/**
 * Mutations that reveal a secret or personal data, or that let production start with a weak secret. For
 * `mutations.mjs`.
 */
const src = path => `apps/api/src/${path}`
const shownOnce = { test: src('team/teams/scopes.test.ts'), name: 'a new secret value' }
const weak = { file: src('main/hardening.ts'), test: src('main/config.test.ts'), name: 'startup is rejected' }

export const secrecyMutations = [
  {
    ...shownOnce,
    promise: 'A replay does not show the value of a new key',
    file: src('team/teams/key-routes.ts'),
    find: 'stored: { ...showKey(row), value: null }',
    replace: 'stored: { ...showKey(row), value }',
  },
  {
    ...shownOnce,
    promise: 'A replay does not show the generated secret of a webhook',
    file: src('notify/webhooks/routes.ts'),
    find: 'stored: answer(null)',
    replace: 'stored: answer(made ?? null)',
  },
  {
    promise: 'A forwarded request stores no text about a person who has withdrawn consent',
    file: src('forwarding/holders.ts'),
    find: "headers: {}, body: ''",
    replace: 'headers: {}, body: openRequest(scope, row).body',
    test: src('forwarding/send.test.ts'),
    name: 'deletes the contents of the requests',
  },
  {
    promise: 'The names of encrypted fields do not appear in any header',
    file: src('platform/http/pipeline.ts'),
    find: "if (!asked || status === 'replayed' || seal) return undefined",
    replace: "if (!asked || status === 'replayed') return undefined",
    test: src('team/encryption/messages.test.ts'),
    name: 'has no field names in a response header',
  },
  {
    promise: 'A team that requires encryption accepts no plain-text bodies',
    file: src('platform/http/pipeline.ts'),
    find: 'team.settings.require_encryption &&',
    replace: 'false &&',
    test: src('team/encryption/messages.test.ts'),
    name: 'rejects all others from then on',
  },
  {
    promise: 'A sealed value has a full-length authentication tag',
    file: src('platform/crypto/vault.ts'),
    find: ', { authTagLength: 16 }',
    replace: '',
    test: src('platform/crypto/vault.test.ts'),
    name: 'truncated authentication tag',
  },
  {
    promise: 'Two teams never store the same hash of a name',
    file: src('people/entities/show.ts'),
    find: 'words.map(word => nameWord(scope, word))',
    replace: "words.map(word => scope.deps.vault.hash('name', word))",
    test: src('people/entities/entities.test.ts'),
    name: 'share no value derived from the details',
  },
  {
    ...weak,
    promise: 'Production does not start with an encryption key that can be guessed',
    find: 'if (isWeak(config.masterKey) || isText(config.masterKey))',
    replace: 'if (false)',
  },
  {
    ...weak,
    promise: 'Production connects to a remote database over TLS',
    find: 'if (mode === null || !modes.includes(mode) || !isVerified)',
    replace: 'if (false)',
  },
]
