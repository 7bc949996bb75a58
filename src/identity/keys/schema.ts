import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { UserBody } from '../users/schema.ts'

export const PublicKeyBody = Type.Object(
  {
    id: Type.Integer(),
    key: Type.String(),
    url: Type.String(),
    title: Type.String(),
    fingerprint: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    last_used_at: Type.String({ format: 'date-time' }),
    user: Type.Optional(UserBody),
    read_only: Type.Boolean(),
    key_type: Type.Optional(Type.String()),
  },
  { title: 'PublicKey' },
)

export const CreateKeyOption = Type.Object(
  {
    title: Type.String({ notEmpty: true, maxLength: 255 }),
    key: Type.String({ notEmpty: true, maxLength: 16_384 }),
    read_only: Type.Optional(Type.Boolean()),
  },
  { title: 'CreateKeyOption' },
)

const gpgKeyFields = {
  id: Type.Integer(),
  primary_key_id: Type.String(),
  key_id: Type.String(),
  public_key: Type.String({
    description: 'Armored; empty in a subkey, which its primary key holds.',
  }),
  emails: Type.Array(Type.Object({ email: Type.String(), verified: Type.Boolean() })),
}
const gpgKeyRights = {
  can_sign: Type.Boolean(),
  can_encrypt_comms: Type.Boolean(),
  can_encrypt_storage: Type.Boolean(),
  can_certify: Type.Boolean(),
  verified: Type.Boolean(),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: Type.String({ format: 'date-time' }),
}

/** A subkey has no subkeys, and says so. */
const GpgSubkeyBody = Type.Object(
  { ...gpgKeyFields, subkeys: Type.Array(Type.Object({})), ...gpgKeyRights },
  { title: 'GPGSubkey' },
)

export const GpgKeyBody = Type.Object(
  { ...gpgKeyFields, subkeys: Type.Array(GpgSubkeyBody), ...gpgKeyRights },
  { title: 'GPGKey' },
)

export const CreateGpgKeyOption = Type.Object(
  {
    armored_public_key: Type.String({ notEmpty: true, maxLength: 131_072, field: 'ArmoredKey' }),
    armored_signature: Type.Optional(Type.String({ maxLength: 16_384, field: 'Signature' })),
  },
  { title: 'CreateGPGKeyOption' },
)

export const VerifyGpgKeyOption = Type.Object(
  {
    key_id: Type.String({ notEmpty: true, maxLength: 64, field: 'KeyID' }),
    armored_signature: Type.String({ notEmpty: true, maxLength: 16_384, field: 'Signature' }),
  },
  { title: 'VerifyGPGKeyOption' },
)

const own = { scope: ['user'], access: 'signed-in', publicOnly: 'refused' } as const
const others = { scope: ['user'], access: 'visible', publicOnly: 'public' } as const
const administration = { scope: ['admin'], access: 'site-admin', publicOnly: 'public' } as const
const keyList = {
  query: { fingerprint: 'only the key with this fingerprint' },
  paged: true,
  answers: { 200: Type.Array(PublicKeyBody) },
} as const

export const userCurrentListKeys = {
  ...own,
  ...keyList,
  operationId: 'userCurrentListKeys',
  summary: 'The SSH keys of the caller',
} satisfies Endpoint

export const userCurrentPostKey = {
  ...own,
  operationId: 'userCurrentPostKey',
  summary: 'Add an SSH key',
  body: CreateKeyOption,
  answers: { 201: PublicKeyBody },
} satisfies Endpoint

export const userCurrentGetKey = {
  ...own,
  operationId: 'userCurrentGetKey',
  summary: 'An SSH key, whoever owns it',
  answers: { 200: PublicKeyBody },
} satisfies Endpoint

export const userCurrentDeleteKey = {
  ...own,
  operationId: 'userCurrentDeleteKey',
  summary: 'Delete an SSH key',
  answers: { 204: 'deleted' },
} satisfies Endpoint

export const userListKeys = {
  ...others,
  ...keyList,
  operationId: 'userListKeys',
  summary: 'The SSH keys of an account',
} satisfies Endpoint

export const adminCreatePublicKey = {
  ...administration,
  operationId: 'adminCreatePublicKey',
  summary: 'Add an SSH key for a person',
  body: CreateKeyOption,
  answers: { 201: PublicKeyBody },
} satisfies Endpoint

export const adminDeleteUserPublicKey = {
  ...administration,
  operationId: 'adminDeleteUserPublicKey',
  summary: 'Delete an SSH key of a person',
  answers: { 204: 'deleted' },
} satisfies Endpoint

export const userCurrentListGPGKeys = {
  ...own,
  operationId: 'userCurrentListGPGKeys',
  summary: 'The GPG keys of the caller',
  paged: true,
  answers: { 200: Type.Array(GpgKeyBody) },
} satisfies Endpoint

export const userListGPGKeys = {
  ...others,
  operationId: 'userListGPGKeys',
  summary: 'The GPG keys of an account',
  paged: true,
  answers: { 200: Type.Array(GpgKeyBody) },
} satisfies Endpoint

export const userCurrentPostGPGKey = {
  ...own,
  operationId: 'userCurrentPostGPGKey',
  summary: 'Add a GPG key, with a signature of the token to prove that it is the own one',
  body: CreateGpgKeyOption,
  answers: { 201: GpgKeyBody },
} satisfies Endpoint

export const userCurrentGetGPGKey = {
  ...own,
  operationId: 'userCurrentGetGPGKey',
  summary: 'A GPG key of the caller',
  answers: { 200: GpgKeyBody },
} satisfies Endpoint

export const userCurrentDeleteGPGKey = {
  ...own,
  operationId: 'userCurrentDeleteGPGKey',
  summary: 'Delete a GPG key of the caller',
  answers: { 204: 'deleted' },
} satisfies Endpoint

export const getVerificationToken = {
  ...own,
  operationId: 'getVerificationToken',
  summary: 'What to sign in order to prove that a GPG key is the own one',
  answers: {
    200: Type.String({ description: 'Good for a few minutes.', contentMediaType: 'text/plain' }),
  },
} satisfies Endpoint

export const userVerifyGPGKey = {
  ...own,
  operationId: 'userVerifyGPGKey',
  summary: 'Prove that a GPG key is the own one by a signature of the token',
  body: VerifyGpgKeyOption,
  answers: { 201: GpgKeyBody },
} satisfies Endpoint
