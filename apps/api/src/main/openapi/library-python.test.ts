/**
 * Tests the service with a Python client that sends and reads what server libraries for APIs like this one do: the
 * version header, the envelope, errors by type, paging headers and idempotency. The client uses only Python's own
 * modules, so it needs no package registry.
 */
import { execFile, spawnSync } from 'node:child_process'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { createAdaptorServer } from '@hono/node-server'
import { expect, it } from 'vitest'
import { stopAtEnd } from '../../testing/cleanup.js'
import { testService } from '../../testing/service.js'

const hasPython = spawnSync('python3', ['--version']).status === 0

const client = `
import json, os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

class Refused(Exception):
    def __init__(self, error):
        super().__init__(error["message"])
        self.error = error

def call(method, path, body=None, **headers):
    request = Request(os.environ["BASE_URL"] + path, method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": "Bearer " + os.environ["API_KEY"], "Content-Type": "application/json",
                 "Method-Version": "2025-07-04", **headers})
    try:
        with urlopen(request) as response:
            answer, kept = json.load(response), response.headers
    except HTTPError as failed:
        answer, kept = json.load(failed), failed.headers
    if not answer["success"]:
        raise Refused(answer["data"]["error"])
    return answer["data"], kept

person = {"type": "individual", "individual": {"first_name": "Kevin", "last_name": "Doyle",
          "phone": "+15121231111", "dob": "1980-05-05"}}
once = {"Idempotency-Key": "python-1"}
entity, first = call("POST", "/entities", person, **once)
again, second = call("POST", "/entities", person, **once)
sessions = f"/entities/{entity['id']}/verification_sessions"
call("POST", sessions, {"type": "phone", "method": "byo_sms", "byo_sms": {"timestamp": "2021-01-01T10:00:00.000Z"}})
call("POST", sessions, {"type": "identity", "method": "kba", "kba": {}})
connect, _ = call("POST", f"/entities/{entity['id']}/connect")
balance, _ = call("POST", f"/accounts/{connect['accounts'][0]}/balances")
page, paging = call("GET", f"/accounts?holder_id={entity['id']}&page=1&page_limit=1")
try:
    call("POST", "/payments", {"amount": 0})
except Refused as refused:
    error = refused.error
print(json.dumps({
    "same": entity["id"] == again["id"],
    "idempotency": [first["idem-status"], second["idem-status"]],
    "status": connect["status"],
    "balance": balance["account_id"] == connect["accounts"][0],
    "accounts": [account["type"] for account in page],
    "total": int(paging["Pagination-Total-Count"]) == len(connect["accounts"]),
    "error": [error["type"], error["code"]],
}))
`

it.skipIf(!hasPython)(
  'A Python client verifies a person, finds accounts, reads pages and receives errors',
  async () => {
    const service = await testService()
    const server = createAdaptorServer({ fetch: service.app.api.fetch }) as Server
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    stopAtEnd(() => new Promise(resolve => server.close(resolve)))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/enveloped`
    const env = { PATH: process.env['PATH'], BASE_URL: baseUrl, API_KEY: service.key }
    const { stdout } = await promisify(execFile)('python3', ['-c', client], { env, timeout: 30_000 })
    expect(JSON.parse(stdout)).toEqual({
      same: true,
      idempotency: ['stored', 'replayed'],
      status: 'completed',
      balance: true,
      accounts: ['liability'],
      total: true,
      error: ['INVALID_REQUEST', 400],
    })
  },
)
