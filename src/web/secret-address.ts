/** For pages whose address is a secret while it works. */
export const secretAddress = { 'cache-control': 'no-store', 'referrer-policy': 'same-origin' }
