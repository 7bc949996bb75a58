import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { TestContext } from 'node:test'

/** Opens nothing: both are for servers of tests at 127.0.0.1 alone. */
export const serverKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg96SOkT+vV2CjVaVi
p2yHR4e8hApfWoY1XRCJkZGTuJmhRANCAARouLuiwEqSUII6v61tNOggQ3mRI53/
2wSSQtq/Ii5dMgYEgdT39qGU0oJHt9iHkrJ+OsjZzCBBRuz3jtCu9Tyt
-----END PRIVATE KEY-----`

export const serverCert = `-----BEGIN CERTIFICATE-----
MIIBYDCCAQegAwIBAgIBATAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1wcm92aWRl
ci50ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAYMRYwFAYD
VQQDDA1wcm92aWRlci50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaLi7
osBKklCCOr+tbTToIEN5kSOd/9sEkkLavyIuXTIGBIHU9/ahlNKCR7fYh5KyfjrI
2cwgQUbs947QrvU8raNAMD4wDwYDVR0RBAgwBocEfwAAATAMBgNVHRMBAf8EAjAA
MB0GA1UdDgQWBBQU4+3bjfzyO8RQxHabpbOfMIlNSDAKBggqhkjOPQQDAgNHADBE
AiBcyWRW/xWqiXqSSeiDMKCWRrJLyKtRKpurnjw/Utco7QIgBOG8B7xjjXWeEI+U
TLGC2u5pso5dS5UFeddG4LVCuPQ=
-----END CERTIFICATE-----`

/** For as long as the test runs, clients of this process take the certificate. */
export function trustCertificate(t: TestContext): void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, serverCert])
  t.after(() => setDefaultCACertificates(before))
}
