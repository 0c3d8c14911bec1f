/** E-mail address of the member that a sign-in link of the operator makes where nobody names one. */
export const DEFAULT_ADMIN_EMAIL = "admin@localhost";

/** Longest address that mail takes (RFC 5321, section 4.5.3.1.3). */
export const MAX_EMAIL_CHARACTERS = 254;

/** Normalizes an e-mail address: without spaces around it, composed, in lower case. */
export const normalizeEmail = (text: string): string => text.trim().normalize("NFC").toLowerCase();

/** Checks whether a normalized text can be an e-mail address: one `@`, no spaces and nothing invisible. */
export const isEmail = (text: string): boolean =>
	text.length <= MAX_EMAIL_CHARACTERS && /^[^\s@\p{C}<>()",:;\\[\]]+@[^\s@\p{C}<>()",:;\\[\]]+$/u.test(text);

/** Name of a member who gives none: the part of the address before the `@`. */
export const toDefaultName = (email: string): string => email.slice(0, email.indexOf("@"));
