/** Checks that a host has no quotes and the like, which URL parsers accept. */
export const isPlainHost = (host: string): boolean => /^[\w.:[\]-]+$/.test(host);
