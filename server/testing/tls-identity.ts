/** A certificate with its key and its authority, in PEM. */
export interface TlsIdentity {
  readonly key: string;
  readonly cert: string;
  /** For `upstreams.extraAuthorities`. Not trusted anywhere else. */
  readonly authority: string;
}

/**
 * The identity of test servers: `test-upstream.example.com` and every name one label below it, 2020 to 2120. The key is
 * not a secret: it is used by tests only. Made with two keys of `openssl ecparam -name prime256v1 -genkey`, a request of `openssl
 * req -new -subj /CN=…` for each, and `openssl ca`: -selfsign with `basicConstraints=critical,CA:TRUE` for the authority,
 * `subjectAltName=DNS:test-upstream.example.com,DNS:*.test-upstream.example.com` for the server, with -startdate and
 * -enddate. The authority's key was deleted.
 */
export const TEST_IDENTITY: TlsIdentity = {
  authority: `-----BEGIN CERTIFICATE-----
MIIBbjCCAROgAwIBAgIBATAKBggqhkjOPQQDAjAdMRswGQYDVQQDDBJBdXRob3Jp
dHkgb2YgdGVzdHMwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMB0x
GzAZBgNVBAMMEkF1dGhvcml0eSBvZiB0ZXN0czBZMBMGByqGSM49AgEGCCqGSM49
AwEHA0IABEBC+9WWf4NCbFckKIeY480OUTY14Ji94s6dZwui/yqXPd9d9bKgnvmB
eAtvN3m8gE1fp8nlvzvQnCDIBUsSXyujQjBAMA8GA1UdEwEB/wQFMAMBAf8wDgYD
VR0PAQH/BAQDAgIEMB0GA1UdDgQWBBSGTq9O1/1N1CbHAzMxoWBjuH9iFDAKBggq
hkjOPQQDAgNJADBGAiEA1+qL9yfjzjdIZKZFFCfaFXF1t4o2ZsuPAsU25tRL6Q0C
IQD5bMwNVpJv8cQmhsQw5b4i3bk1AW0Iu/lsPNzCn+dEoQ==
-----END CERTIFICATE-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIB5zCCAYygAwIBAgIBAjAKBggqhkjOPQQDAjAdMRswGQYDVQQDDBJBdXRob3Jp
dHkgb2YgdGVzdHMwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMCQx
IjAgBgNVBAMMGXRlc3QtdXBzdHJlYW0uZXhhbXBsZS5jb20wWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAASWAsYQWG/opildS8WwAJlLL4amKmZ12OV6zsC0Q6lgZRle
w400hNlLf4K+hjWEiMOGO8DqpojHgRQiLkn+cLXSo4GzMIGwMAkGA1UdEwQCMAAw
CwYDVR0PBAQDAgeAMBMGA1UdJQQMMAoGCCsGAQUFBwMBMEEGA1UdEQQ6MDiCGXRl
c3QtdXBzdHJlYW0uZXhhbXBsZS5jb22CGyoudGVzdC11cHN0cmVhbS5leGFtcGxl
LmNvbTAdBgNVHQ4EFgQU0NEJGp9ObnaWDlFdq2lIefjCrugwHwYDVR0jBBgwFoAU
hk6vTtf9TdQmxwMzMaFgY7h/YhQwCgYIKoZIzj0EAwIDSQAwRgIhANYcXhYt8+LU
6nJfQo3PrwUYHy3M9R9uXn6/ymU86DJGAiEA4wxS3QXrR7Mtbn/RRnGuEOsAZ0eX
8SMmsWOTevudgyc=
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgIG4pKK+OrfGtg5bm
NNLkf5ayOIMLi6MZauhKvS/d+LOhRANCAASWAsYQWG/opildS8WwAJlLL4amKmZ1
2OV6zsC0Q6lgZRlew400hNlLf4K+hjWEiMOGO8DqpojHgRQiLkn+cLXS
-----END PRIVATE KEY-----`,
};
