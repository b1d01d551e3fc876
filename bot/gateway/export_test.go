package gateway

import "crypto/x509"

// Trust makes a client believe in a test server's certificate. Call it before Run.
func (c *Client) Trust(roots *x509.CertPool) { c.rest.tls.RootCAs = roots }
