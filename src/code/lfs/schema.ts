import { Type } from 'typebox'

const ref = Type.Optional(Type.Object({ name: Type.Optional(Type.String()) }))
const count = Type.Optional(Type.Integer())

export const BatchBody = Type.Object({
  operation: Type.String(),
  transfers: Type.Optional(Type.Array(Type.String())),
  ref,
  objects: Type.Optional(Type.Array(Type.Object({ oid: Type.String(), size: Type.Integer() }))),
  hash_algo: Type.Optional(Type.String()),
})

export const VerifyBody = Type.Object({ oid: Type.String(), size: Type.Integer() })

export const LockBody = Type.Object({ path: Type.String({ notEmpty: true }), ref })

export const LockVerifyBody = Type.Object({
  cursor: Type.Optional(Type.String()),
  limit: count,
  ref,
})

export const UnlockBody = Type.Object({ force: Type.Optional(Type.Boolean()), ref })
