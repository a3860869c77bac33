/** The actions in the audit log, grouped by area, so that a reader finds all actions of one kind. */
export const AUDIT_AREAS = {
  payments: [
    ...(['payment.create', 'payment.cancel', 'reversal.approve', 'loan.release', 'payments.stop'] as const),
    ...(['payments.start', 'payee.propose', 'payee.confirm', 'payee.reject', 'payee.replace', 'payee.remove'] as const),
    ...(['reconciliation.start', 'reconciliation.explain'] as const),
  ],
  approvals: [
    ...(['approval.ask', 'approval.approve', 'approval.decline', 'approval.withdraw', 'approval.fail'] as const),
    'approval.settings',
  ],
  people: [
    ...(['entity.reveal', 'entity.export', 'entity.erase', 'entity.consent.grant', 'entity.consent.withdraw'] as const),
    ...(['entity.institution.disconnect', 'account.consent.withdraw', 'session.link', 'token.refused'] as const),
  ],
  reads: [
    ...(['account.number.read', 'account.number.create', 'identity.read', 'sensitive.read'] as const),
    ...(['payment_instrument.read', 'managed_account.read', 'file.read', 'file.download', 'search.phone'] as const),
    ...(['list.export', 'forwarding.bind'] as const),
  ],
  keys: [
    ...(['key.create', 'key.revoke', 'public_key.create', 'public_key.delete', 'service_key.rotate'] as const),
    ...(['service_key.disable', 'secret.create', 'secret.delete'] as const),
  ],
  users: [
    ...(['console.sign_in', 'console.sign_out', 'console.link', 'console.user_invite', 'console.user_change'] as const),
    ...(['console.user_recover', 'console.identity_add', 'console.invitation_accept', 'console.passkey_add'] as const),
    ...(['console.passkey_remove', 'console.end'] as const),
  ],
  settings: ['team.create', 'team.update', 'team.grant', 'version.set', 'job.retry'],
  webhooks: [
    ...(['webhook.create', 'webhook.update', 'webhook.rotate', 'webhook.delete', 'webhook.resend'] as const),
    ...(['webhook.test', 'delivery.resend'] as const),
  ],
} as const

export type AuditArea = keyof typeof AUDIT_AREAS
export const auditAreas = Object.keys(AUDIT_AREAS) as [AuditArea, ...AuditArea[]]
