import type { Fetch } from "./oidc-client";

/**
 * Sends requests to issuers. They are of the operator's configuration, and often on the network of a company, so that the
 * outbound gate, which is for addresses that tenants choose, would not let them through.
 */
export const issuerFetch: Fetch = (url, init) => fetch(url, init);
