import type { Words } from './index.ts'

export const name = '0021-payloads'

/**
 * What receivers of one event are told is stored once. Of older deliveries it stays where it is,
 * until they are forgotten.
 */
export function statements({ id, integer, text }: Words): readonly string[] {
  const number = `${integer} NOT NULL DEFAULT 0`
  return [
    `CREATE TABLE webhook_payload (
      id ${id},
      content ${text} NOT NULL,
      created_at ${integer} NOT NULL
    )`,
    `CREATE INDEX webhook_payload_by_time ON webhook_payload (created_at)`,
    `ALTER TABLE webhook_delivery ADD COLUMN payload_id ${integer} REFERENCES webhook_payload (id)`,
    `ALTER TABLE webhook_delivery ADD COLUMN repository_id ${number}`,
    `ALTER TABLE webhook_delivery ADD COLUMN owner_id ${number}`,
    `ALTER TABLE webhook_delivery ADD COLUMN room ${number}`,
    `CREATE INDEX webhook_delivery_by_payload ON webhook_delivery (payload_id)`,
    `CREATE INDEX webhook_delivery_of_repository ON webhook_delivery (repository_id, id, room)`,
    `CREATE INDEX webhook_delivery_of_owner ON webhook_delivery (owner_id, id, room)`,
  ]
}
