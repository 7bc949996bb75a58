import type { Generated } from 'kysely'
import type { Flag } from '../columns.ts'

/** Who hears of what happens, and has heard. */
export interface WebhookTables {
  webhook: WebhookTable
  webhook_delivery: WebhookDeliveryTable
  webhook_payload: WebhookPayloadTable
}

/**
 * Of a repository, of an account (for all that it owns), of the system (for everything), or a
 * default.
 */
interface WebhookTable {
  id: Generated<number>
  repository_id: number | null
  account_id: number | null
  is_system: Generated<Flag>
  /** Copied into each new repository. */
  is_default: Generated<Flag>
  name: Generated<string>
  type: string
  url: string
  host: string
  content_type: string
  /** Encrypted; empty when there is none. */
  secret: Generated<string>
  /** Encrypted; empty when there is none. */
  authorization_header: Generated<string>
  /** JSON, by the type. */
  settings: Generated<string>
  /** JSON list. */
  events: Generated<string>
  branch_filter: Generated<string>
  is_active: Generated<Flag>
  /** While somebody delivers to it. */
  lease_until: Generated<number>
  /** Nothing is delivered before: the receiver has failed. */
  retry_at: Generated<number>
  created_at: number
  updated_at: number
}

interface WebhookDeliveryTable {
  id: Generated<number>
  hook_id: number
  /** Stays through all attempts, and when it is delivered again by hand. */
  uuid: string
  /** The exact event. */
  kind: string
  /** JSON, as of the event, of deliveries that are older than `payload_id`; else empty. */
  payload: string
  payload_id: number | null
  /** Where it happened, 0 for nowhere: what is stored for it is limited. */
  repository_id: Generated<number>
  owner_id: Generated<number>
  /** Bytes that it takes: the first of those that share a payload has it. */
  room: Generated<number>
  is_waiting: Generated<Flag>
  is_delivered: Generated<Flag>
  attempts: Generated<number>
  tried_at: Generated<number>
  response_status: Generated<number>
  /** JSON. */
  response_headers: Generated<string>
  response_body: Generated<string>
  last_error: Generated<string>
  created_at: number
}

/** What all receivers of an event are told. */
interface WebhookPayloadTable {
  id: Generated<number>
  /** JSON, compressed, in base64. */
  content: string
  created_at: number
}
