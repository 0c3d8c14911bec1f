/** A server's address for people: a query may hold a key. */
export const toServerLabel = (url: string): string => url.replace(/[?#].*$/s, "");
