// Limits of people, invitations and sessions.

/** Active members of a workspace. */
export const MAX_MEMBERS = 10_000;
/** Invitations of a workspace that nobody has accepted yet. */
export const MAX_INVITATIONS = 1_000;
/** Sessions of a user in a workspace; a further one replaces the oldest. */
export const MAX_SESSIONS_PER_USER = 100;
/** Passkeys of a user in a workspace. */
export const MAX_PASSKEYS_PER_USER = 20;
/** Attempts to sign in, from one IPv4 address or IPv6 network (/64). */
export const MAX_SIGN_INS_PER_MINUTE = 60;
/** Attempts to sign in, from all addresses together. */
export const MAX_TOTAL_SIGN_INS_PER_MINUTE = 1_200;

/** Time in which a sign-in link of the operator can be used. */
export const LOGIN_LINK_TTL_MS = 15 * 60 * 1000;
/** Time in which an invitation can be accepted. */
export const INVITATION_TTL_MS = 7 * 24 * 60 * 60 * 1000;
/** Time without a request after which a session ends. */
export const SESSION_IDLE_MS = 12 * 60 * 60 * 1000;
/** Longest time from the sign-in to the end of its session. */
export const MAX_SESSION_MS = 30 * 24 * 60 * 60 * 1000;
/** Time after which the use of a session is stored again. */
export const SESSION_TOUCH_MS = 5 * 60 * 1000;
/** Time within which open streams of a session end after it. */
export const SESSION_CHECK_MS = 20 * 1000;
/** Time in which a passkey that was asked for can be sent. */
export const PASSKEY_ATTEMPT_TTL_MS = 5 * 60 * 1000;
/** Time in which a sign-in at an issuer can be completed. */
export const ISSUER_ATTEMPT_TTL_MS = 10 * 60 * 1000;
