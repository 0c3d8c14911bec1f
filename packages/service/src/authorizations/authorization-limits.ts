// Limits of apps that people give access to.

/** Apps that registered themselves; a further one replaces the oldest that nobody has given access. */
export const MAX_REGISTERED_APPS = 5_000;
/** Registrations from one IPv4 address or IPv6 network (/64). */
export const MAX_REGISTRATIONS_PER_MINUTE = 10;
/** Registrations from all addresses. */
export const MAX_ALL_REGISTRATIONS_PER_MINUTE = 60;
/** Redirect addresses of one app. */
export const MAX_REDIRECT_URIS = 20;
/** Authorizations of a user in a workspace; a further one replaces the oldest. */
export const MAX_AUTHORIZATIONS_PER_USER = 100;
/** Size of the metadata document of an app. */
export const MAX_METADATA_BYTES = 16 * 1024;

/** Time in which a code can be exchanged for tokens. */
export const CODE_TTL_MS = 60 * 1000;
/** Time after which an app that nobody has given access is forgotten. */
export const UNUSED_APP_TTL_MS = 24 * 60 * 60 * 1000;
/** Time without a refresh after which an authorization ends. */
export const REFRESH_TTL_MS = 30 * 24 * 60 * 60 * 1000;
/** Time for which the metadata document of an app is kept. */
export const METADATA_TTL_MS = 10 * 60 * 1000;
/** Timeout for the metadata document of an app. */
export const APP_METADATA_TIMEOUT_MS = 10 * 1000;
