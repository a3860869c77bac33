/**
 * The network API endpoints that this service implements, by method and path, and the reasons for omitting the rest.
 * Paths use OpenAPI syntax.
 */
const lines = `
POST GET /entities
GET PUT /entities/{id}
POST /entities/{id}/consent
POST GET /entities/{id}/verification_sessions
GET PUT /entities/{id}/verification_sessions/{evf}
POST GET /entities/{id}/connect
GET /entities/{id}/connect/{cxn}
POST /entities/{id}/manual_connect
GET /entities/{id}/manual_connect/{mcxn}
POST GET /entities/{id}/credit_scores
GET /entities/{id}/credit_scores/{crs}
POST GET /entities/{id}/identities
GET /entities/{id}/identities/{idn}
POST GET /entities/{id}/attributes
GET /entities/{id}/attributes/{attr}
POST GET /entities/{id}/vehicles
GET /entities/{id}/vehicles/{vhl}
GET /entities/{id}/products
GET /entities/{id}/products/{prd}
POST GET /entities/{id}/subscriptions
GET DELETE /entities/{id}/subscriptions/{sub}
POST GET /accounts
GET PUT /accounts/{id}
POST /accounts/{id}/consent
POST GET /accounts/{id}/verification_sessions
GET PUT /accounts/{id}/verification_sessions/{avf}
GET /accounts/{id}/verification_sessions/{avf}/amounts
POST GET /accounts/{id}/updates
GET /accounts/{id}/updates/{upt}
POST GET /accounts/{id}/balances
GET /accounts/{id}/balances/{bal}
POST GET /accounts/{id}/card_brands
GET /accounts/{id}/card_brands/{crd}
POST GET /accounts/{id}/payoffs
GET /accounts/{id}/payoffs/{pyf}
POST GET /accounts/{id}/attributes
GET /accounts/{id}/attributes/{attr}
GET /accounts/{id}/transactions
GET /accounts/{id}/transactions/{txn}
POST GET /accounts/{id}/sensitive
GET /accounts/{id}/sensitive/{astv}
POST GET /accounts/{id}/payment_instruments
GET DELETE /accounts/{id}/payment_instruments/{pmt_inst}
GET /accounts/{id}/products
GET /accounts/{id}/products/{prd}
POST GET /accounts/{id}/subscriptions
GET DELETE /accounts/{id}/subscriptions/{sub}
GET /card_products/{pdt}
GET /ping
GET /.well-known/jwks.json
GET /auth/{jwk}
POST GET /payments
GET DELETE /payments/{id}
GET /payments/{id}/reversals
GET PUT /payments/{id}/reversals/{rvs}
GET /merchants
GET /merchants/{id}
POST GET /webhooks
GET PATCH DELETE /webhooks/{id}
GET /events
GET /events/{id}
POST GET /secrets
GET DELETE /secrets/{id}
POST /forwarding_requests
GET /forwarding_requests/{id}
POST /reports
GET /reports/{id}
GET /reports/{id}/download
POST GET /report_schedules
GET PATCH DELETE /report_schedules/{id}
POST PUT DELETE /report_schedules/{id}/types
POST PUT DELETE /report_schedules/{id}/delivery_methods
POST PUT DELETE /report_schedules/{id}/recipients
GET POST /teams
POST /teams/default_encryption_key
GET POST /teams/mle/public_keys
GET DELETE /teams/mle/public_keys/{id}
GET /managed_accounts
GET /managed_accounts/{id}
GET /managed_accounts/{id}/transactions
POST /simulate/managed_accounts/{id}/transactions
POST /intents
POST GET /preauth
GET /preauth/{id}
GET /files/{id}
GET /files/{id}/download
POST /elements/token
GET /elements/token/{token}/results
GET PUT /elements/sessions/{id}
POST /elements/accounts/exchange
POST GET DELETE /opal/token
GET /opal/events
GET POST /opal/sessions/{id}
POST /simulate/payments/{id}
POST /simulate/payments/payment_instruments/{id}
POST /simulate/accounts/{id}/transactions
POST /simulate/accounts/{id}/card_brands
GET /simulate/accounts/{id}/verification_sessions/{avf}/amounts
POST /simulate/entities/{id}/credit_scores/{crs}
POST /simulate/entities/{id}/connect
POST /simulate/entities/{id}/attributes
POST /simulate/events
`

/** The reasons for omitting endpoints. */
export const leftOut = {
  'PUT /elements/sessions/{id}': 'POST /opal/sessions/{id} releases a balance transfer in a single call.',
  'POST /elements/accounts/exchange': 'The API has no account tokens to exchange.',
}

export const rows = lines
  .trim()
  .split('\n')
  .flatMap(line => {
    const words = line.split(' ')
    const path = words.pop()
    return words.map(method => ({ method, path }))
  })
