/** A file cannot be read; the message says why. */
export class UnreadableError extends Error {}
