import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Slots } from '../git/slots.ts'
import { forNoRequest, RequestWork, type RequestTerms } from '../concurrency/request-work.ts'
import { clientOfRequest } from './client.ts'
import { ClientGone, goneSignal, isGone } from './gone.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its processes have places of another kind. */
    hasOwnPlaces?: true
  }

  interface FastifyRequest {
    work: RequestWork | undefined
  }
}

/** Requests for which git works; to wait costs little. */
const limits = { atOnce: 16, waiting: 512, patienceMs: 30_000 }

/** So many requests have git work for them at once, of pages as of the API. */
export function addRequestPlaces(server: FastifyInstance): void {
  const places = new Slots(limits)
  server.decorateRequest('work', undefined)
  server.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config?.hasOwnPlaces) return forNoRequest(done)
    request.work = new RequestWork(termsOf(places, request, reply))
    request.work.run(done)
  })
  server.addHook('onSend', (request, _reply, payload, done) => {
    request.work?.end()
    done(null, payload)
  })
}

function termsOf(places: Slots, request: FastifyRequest, { raw }: FastifyReply): RequestTerms {
  return {
    isRead: request.method === 'GET' || request.method === 'HEAD',
    goneReason: () => (isGone(raw) ? new ClientGone() : undefined),
    takePlace: async (letIn) => {
      // Not every answer is sent.
      raw.once('close', () => request.work?.end())
      const signal = AbortSignal.any([goneSignal(raw), letIn])
      return places.take(signal, [clientOfRequest(request)])
    },
  }
}
