import type { Words } from './index.ts'

export const name = '0007-webhooks'

export function statements({ id, integer, text }: Words): readonly string[] {
  const flag = (value: 0 | 1) => `${integer} NOT NULL DEFAULT ${value}`
  const number = `${integer} NOT NULL DEFAULT 0`
  const words = (value = '') => `${text} NOT NULL DEFAULT '${value}'`
  return [
    `CREATE TABLE webhook (
      id ${id},
      repository_id ${integer} REFERENCES repository (id) ON DELETE CASCADE,
      account_id ${integer} REFERENCES account (id) ON DELETE CASCADE,
      is_system ${flag(0)},
      is_default ${flag(0)},
      name ${words()},
      type ${text} NOT NULL,
      url ${text} NOT NULL,
      host ${text} NOT NULL,
      content_type ${text} NOT NULL,
      secret ${words()},
      authorization_header ${words()},
      settings ${words('{}')},
      events ${words('[]')},
      branch_filter ${words()},
      is_active ${flag(0)},
      lease_until ${number},
      retry_at ${number},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    )`,
    `CREATE INDEX webhook_by_repository ON webhook (repository_id, id)`,
    `CREATE INDEX webhook_by_account ON webhook (account_id, id)`,
    `CREATE INDEX webhook_of_system ON webhook (id) WHERE is_system = 1`,
    `CREATE INDEX webhook_of_all ON webhook (id) WHERE is_default = 1`,
    `CREATE INDEX webhook_by_host ON webhook (host, lease_until)`,

    `CREATE TABLE webhook_delivery (
      id ${id},
      hook_id ${integer} NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
      uuid ${text} NOT NULL,
      kind ${text} NOT NULL,
      payload ${text} NOT NULL,
      is_waiting ${flag(1)},
      is_delivered ${flag(0)},
      attempts ${number},
      tried_at ${number},
      response_status ${number},
      response_headers ${words('{}')},
      response_body ${words()},
      last_error ${words()},
      created_at ${integer} NOT NULL
    )`,
    `CREATE INDEX webhook_delivery_by_hook ON webhook_delivery (hook_id, id)`,
    `CREATE INDEX webhook_delivery_by_time ON webhook_delivery (created_at)`,
    `CREATE INDEX webhook_delivery_waiting ON webhook_delivery (hook_id, id) WHERE is_waiting = 1`,
  ]
}
