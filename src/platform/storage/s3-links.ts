import { GetObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { Config } from '../config/config.ts'
import { LINK_SECONDS } from './file-storage.ts'
import { connectTo, type Sign } from './s3.ts'

/** The headers are signed with the address: who changes one has no address any more. */
export function openSigner({ storage }: Config): Sign {
  const { public_endpoint: outside, endpoint, bucket } = storage
  // Nothing is sent by it: the host is part of what is signed, so that of clients has to be known.
  const client = connectTo({ ...storage, endpoint: outside === '' ? endpoint : outside })
  return (object, { contentType, contentDisposition }) => {
    const command = new GetObjectCommand({
      Bucket: bucket,
      Key: object,
      ResponseContentType: contentType,
      ResponseContentDisposition: contentDisposition,
      ResponseCacheControl: 'max-age=0, private, must-revalidate',
    })
    return getSignedUrl(client, command, { expiresIn: LINK_SECONDS })
  }
}
